-- Jobs that have ended, the latest first; the order is that of `store/work/job-lists.ts`.
CREATE INDEX CONCURRENTLY jobs_by_completion ON jobs (project_id, completed_at, workflow_id, number) WHERE completed_at IS NOT NULL
