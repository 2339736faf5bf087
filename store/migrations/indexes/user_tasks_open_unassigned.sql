-- Counts and inboxes of open tasks that nobody has; the order is one of `store/work/user-tasks/lists.ts`.
CREATE INDEX CONCURRENTLY user_tasks_open_unassigned ON user_tasks (project_id, due_date, workflow_id, number) WHERE status = 'CREATED' AND assignee IS NULL
