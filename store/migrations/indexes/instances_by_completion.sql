-- Instances that have ended, the latest first; the order is that of `store/instances/lists.ts`.
CREATE INDEX CONCURRENTLY instances_by_completion ON instances (project_id, completed_at, number) WHERE completed_at IS NOT NULL
