-- Up Migration

-- Batches: the same operation on up to 100,000 instances or incidents, chosen when the batch is accepted.
CREATE TABLE batches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  operation text NOT NULL CHECK (operation IN ('CANCEL', 'RESOLVE', 'SET_VARIABLES', 'MIGRATE', 'SUSPEND', 'RESUME', 'MODIFY')),
  -- As given; null if the targets were named.
  filter json,
  -- What each single operation gets besides its target. Dropped with the last outcome, because it has values.
  input json,
  -- The input without values, as the API shows it.
  shown json NOT NULL,
  -- Migrations of one version only: the version to migrate from.
  source_definition_id uuid,
  reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  items_per_second integer NOT NULL,
  total integer NOT NULL,
  status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'PAUSED', 'COMPLETED', 'CANCELED')),
  -- Set with the last outcome, also of a canceled batch.
  completed_at timestamptz,
  -- Items by status, counted once more when it is completed.
  counts json,
  -- Names the runner whose turn it is. A runner without the turn begins no item.
  turn uuid,
  -- When the next turn can be taken. A runner that dies in its turn loses it then.
  due_at timestamptz NOT NULL DEFAULT now(),
  -- The time that the items begun so far have used up at their rate.
  paced_until timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX batches_by_project ON batches (project_id, number DESC);
CREATE INDEX batches_due ON batches (due_at) WHERE completed_at IS NULL;
CREATE INDEX batches_completed ON batches (project_id, completed_at) WHERE completed_at IS NOT NULL;

-- The targets of a batch in their order, with what became of each.
CREATE TABLE batch_items (
  batch_id uuid NOT NULL REFERENCES batches ON DELETE CASCADE,
  position integer NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  -- The incident to resolve; the new one once it has failed again.
  incident integer,
  status text NOT NULL DEFAULT 'PENDING'
    CHECK (status IN ('PENDING', 'APPLIED', 'FAILED_AGAIN', 'REJECTED', 'SKIPPED', 'CANCELED')),
  code text,
  message text,
  issues json,
  -- Set in the transaction of the single operation: an item is begun at most once.
  begun_at timestamptz,
  -- The command of the instance, if the operation is one.
  command_number integer,
  processed_at timestamptz,
  PRIMARY KEY (batch_id, position)
);
CREATE INDEX batch_items_to_begin ON batch_items (batch_id, position) WHERE status = 'PENDING' AND begun_at IS NULL;
CREATE INDEX batch_items_begun ON batch_items (batch_id) WHERE status = 'PENDING' AND begun_at IS NOT NULL;
CREATE INDEX batch_items_by_status ON batch_items (batch_id, status, position);
