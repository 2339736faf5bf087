-- For the entries of one job or user task. Starts and publications have none.
CREATE INDEX CONCURRENTLY audit_entries_of_execution ON audit_entries (project_id, execution_key, id DESC) WHERE execution_key IS NOT NULL
