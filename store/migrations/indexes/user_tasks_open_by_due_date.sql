-- Inboxes sorted by it; the orders are those of `store/work/user-tasks/lists.ts`.
CREATE INDEX CONCURRENTLY user_tasks_open_by_due_date ON user_tasks (project_id, due_date, workflow_id, number) WHERE status = 'CREATED'
