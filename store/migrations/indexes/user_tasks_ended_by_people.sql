-- For the timeline.
CREATE INDEX CONCURRENTLY user_tasks_ended_by_people ON user_tasks (workflow_id, ending_command) WHERE ending_command IS NOT NULL
