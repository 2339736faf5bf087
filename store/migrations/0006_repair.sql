-- Up Migration

-- Repairing instances by hand: modifications and migrations.

-- Everything that stood in the way of a command, where it can be more than one thing: a list of sentences.
ALTER TABLE commands ADD COLUMN issues json;

-- The version an instance was started with, when it has been migrated to another one since.
ALTER TABLE instances ADD COLUMN started_definition_id uuid;

-- Migrations of many instances, each carried out by a workflow of its own in Temporal.
CREATE TABLE instance_migrations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- What its instances run before.
  definition_id uuid NOT NULL,
  -- Target version, mappings and variables, as the command of each instance carries them.
  plan json NOT NULL,
  reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  -- When its workflow is to be started, or looked after again.
  deliver_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX instance_migrations_to_deliver ON instance_migrations (deliver_at) WHERE completed_at IS NULL;

-- What becomes of each instance. `command_number` is there once it has been asked.
CREATE TABLE migrating_instances (
  migration_id uuid NOT NULL REFERENCES instance_migrations ON DELETE CASCADE,
  position integer NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'MIGRATED', 'REFUSED')),
  issues json,
  command_number integer,
  asked_at timestamptz,
  PRIMARY KEY (migration_id, position)
);
CREATE INDEX migrating_instances_to_ask ON migrating_instances (migration_id, position) WHERE status = 'PENDING' AND command_number IS NULL;
CREATE INDEX migrating_instances_asked ON migrating_instances (migration_id) WHERE status = 'PENDING' AND command_number IS NOT NULL;
