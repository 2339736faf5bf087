-- Up Migration
ALTER TABLE jobs
  -- Its instance, or one above it, is suspended by itself or is being canceled: polls do not read it.
  ADD COLUMN held boolean NOT NULL DEFAULT false,
  -- How often it was handed out: a result names the lease that it was made under.
  ADD COLUMN lease integer NOT NULL DEFAULT 0;

UPDATE jobs j SET held = true FROM instances i
WHERE i.workflow_id = j.workflow_id AND j.status = 'PENDING' AND (i.suspended_at IS NOT NULL OR i.suspended_above OR i.canceling);

DROP INDEX jobs_available;
CREATE INDEX jobs_available ON jobs (project_id, task_type, held, definition_path, available_at) WHERE status = 'PENDING';

-- Whether an instance has heard a signal in another way is looked up when a delivery comes too late.
CREATE INDEX commands_of_signals ON commands (workflow_id, signal_id) WHERE signal_id IS NOT NULL;

-- All parts of what a subscription asks for, as hashes; `key` is the first of them.
ALTER TABLE subscriptions ADD COLUMN keys text[];
UPDATE subscriptions SET keys = ARRAY[key];
ALTER TABLE subscriptions ALTER COLUMN keys SET NOT NULL;
