-- For lists; the order is that of `store/work/job-lists.ts`.
CREATE INDEX CONCURRENTLY jobs_by_node ON jobs (project_id, node_id, created_at DESC)
