-- For lists; the order is that of `store/work/job-lists.ts`.
CREATE INDEX CONCURRENTLY jobs_by_error_code ON jobs (project_id, error_code, created_at DESC) WHERE error_code IS NOT NULL
