-- Up Migration

-- How many instances run below one that nobody called: a call counts them before it adds another.
CREATE INDEX instances_running_below_root ON instances (root_workflow_id) WHERE parent_workflow_id IS NOT NULL AND status = 'RUNNING';
