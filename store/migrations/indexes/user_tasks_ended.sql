CREATE INDEX CONCURRENTLY user_tasks_ended ON user_tasks (project_id, completed_at, workflow_id, number) WHERE completed_at IS NOT NULL
