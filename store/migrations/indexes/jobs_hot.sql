-- Jobs whose instances wait for them in their workflow task, for polls; the condition is that of `store/job-queue.ts`.
CREATE INDEX CONCURRENTLY jobs_hot ON jobs (project_id, task_type, hot_until) WHERE status = 'PENDING' AND hot_until IS NOT NULL;
