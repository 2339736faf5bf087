-- Up Migration

-- Ended instances are kept for as long as their project says, then removed: first the instance itself, so that nobody sees
-- it with a part of its history missing, then what hangs from it, a little at a time.

CREATE TABLE removed_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  removed_at timestamptz NOT NULL DEFAULT now()
);

-- Those that nothing called, in the order in which their time comes.
CREATE INDEX instances_ended ON instances (project_id, completed_at) WHERE status <> 'RUNNING' AND parent_workflow_id IS NULL;
-- All that an instance called, and what these called.
CREATE INDEX instances_called_by_root ON instances (root_workflow_id) WHERE parent_workflow_id IS NOT NULL;
CREATE INDEX decision_executions_by_age ON decision_executions (project_id, executed_at);
