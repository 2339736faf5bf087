-- Counts and lists of unassigned open tasks, by due date.
CREATE INDEX CONCURRENTLY user_tasks_open_unassigned ON user_tasks (project_id, due_date, workflow_id, number) WHERE status = 'CREATED' AND assignee IS NULL
