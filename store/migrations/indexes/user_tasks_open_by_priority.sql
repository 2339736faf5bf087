-- Inboxes sorted by it; the orders are those of `store/work/user-tasks/lists.ts`.
CREATE INDEX CONCURRENTLY user_tasks_open_by_priority ON user_tasks (project_id, priority, workflow_id, number) WHERE status = 'CREATED'
