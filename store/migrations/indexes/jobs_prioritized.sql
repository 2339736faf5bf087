-- The longest available of the jobs with a priority; of those without one, `jobs_by_priority` has them in this order.
CREATE INDEX CONCURRENTLY jobs_prioritized ON jobs (project_id, task_type, held, definition_path, available_at) WHERE status = 'PENDING' AND priority <> 0;
