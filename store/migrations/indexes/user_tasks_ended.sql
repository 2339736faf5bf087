-- Tasks that have ended, the latest first; the order is that of `store/work/user-tasks/lists.ts`.
CREATE INDEX CONCURRENTLY user_tasks_ended ON user_tasks (project_id, completed_at, workflow_id, number) WHERE completed_at IS NOT NULL
