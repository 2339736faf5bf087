-- For the event of a task that becomes overdue.
CREATE INDEX CONCURRENTLY user_tasks_becoming_overdue ON user_tasks (project_id, due_date) WHERE status = 'CREATED' AND due_date IS NOT NULL AND NOT overdue_reported
