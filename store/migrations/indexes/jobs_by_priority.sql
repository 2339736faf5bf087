-- Pending jobs in the order of a poll. Replaces jobs_available
CREATE INDEX CONCURRENTLY jobs_by_priority ON jobs (project_id, task_type, held, definition_path, priority, available_at) WHERE status = 'PENDING';
