-- Deleting a project deletes its deployments, and Postgres looks for definitions that refer to each of them.
CREATE INDEX CONCURRENTLY definitions_by_deployment ON definitions (deployment_id) WHERE deployment_id IS NOT NULL;
