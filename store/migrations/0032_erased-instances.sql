-- Up Migration

-- Erased instances whose workflows Temporal may still know. Written in the transaction that removes the instance.
CREATE TABLE erased_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  erased_at timestamptz NOT NULL DEFAULT now(),
  -- When a worker looks for its workflows next.
  look_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX erased_instances_to_look_for ON erased_instances (look_at);
