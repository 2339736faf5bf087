-- For lists; the order is that of `store/instances/lists.ts`.
CREATE INDEX CONCURRENTLY instances_by_starter ON instances (project_id, started_by, number) WHERE started_by IS NOT NULL
