-- Up Migration

-- Batches erase ended instances as well.
ALTER TABLE batches DROP CONSTRAINT batches_operation_check;
ALTER TABLE batches ADD CONSTRAINT batches_operation_check
  CHECK (operation IN ('CANCEL', 'RESOLVE', 'SET_VARIABLES', 'MIGRATE', 'SUSPEND', 'RESUME', 'MODIFY', 'DELETE'));

-- Names of variables whose values were redacted, in every scope of the instance.
ALTER TABLE instances ADD COLUMN redacted_variables text[] NOT NULL DEFAULT '{}';

-- Instances whose stored values are still to be overwritten. Written in the transaction that accepts the redaction.
CREATE TABLE redacting_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  root_workflow_id text COLLATE "C" NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- The rows that are overwritten next: their kind, and the number of the last one that is done.
  part text NOT NULL,
  done integer NOT NULL DEFAULT 0
);
CREATE INDEX redacting_instances_by_root ON redacting_instances (root_workflow_id);
CREATE INDEX redacting_instances_in_order ON redacting_instances (requested_at);
