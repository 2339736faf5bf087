-- For the restarts of one instance.
CREATE INDEX CONCURRENTLY instances_restarted ON instances (project_id, restarted_from, number) WHERE restarted_from IS NOT NULL
