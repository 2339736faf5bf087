-- Inboxes sorted by it; the orders are those of `store/work/user-tasks/lists.ts`.
CREATE INDEX CONCURRENTLY user_tasks_open_by_due_date_last ON user_tasks (project_id, due_date DESC NULLS LAST, workflow_id DESC, number DESC) WHERE status = 'CREATED'
