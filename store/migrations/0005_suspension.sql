-- Up Migration

-- Suspension of instances and of definitions, and through both of the instances below.
--
-- Suspending a definition writes one row, however many instances it has: whether something may move is decided when a
-- park is written, when a job is handed out and when somebody asks for something. For that, every instance knows the
-- definitions above it. Suspending an instance marks the instances below it, as canceling one does.

ALTER TABLE instances
  -- The definitions of the instances above it, the outermost first.
  ADD COLUMN ancestor_definitions uuid[] NOT NULL DEFAULT '{}',
  -- An instance above it is suspended by itself.
  ADD COLUMN suspended_above boolean NOT NULL DEFAULT false;

WITH RECURSIVE called AS (
  SELECT workflow_id, definition_id, ancestor_definitions AS above FROM instances WHERE parent_workflow_id IS NULL
  UNION ALL
  SELECT i.workflow_id, i.definition_id, c.above || c.definition_id FROM instances i JOIN called c ON i.parent_workflow_id = c.workflow_id
)
UPDATE instances i SET ancestor_definitions = c.above FROM called c WHERE i.workflow_id = c.workflow_id AND c.above <> '{}';

-- The definitions above its instance and that one's own: jobs of a suspended definition are passed over as a whole,
-- however many they are.
ALTER TABLE jobs ADD COLUMN definition_path uuid[];
UPDATE jobs j SET definition_path = i.ancestor_definitions || i.definition_id FROM instances i WHERE i.workflow_id = j.workflow_id;
ALTER TABLE jobs ALTER COLUMN definition_path SET NOT NULL;
DROP INDEX jobs_available;
CREATE INDEX jobs_available ON jobs (project_id, task_type, definition_path, available_at) WHERE status = 'PENDING';

CREATE INDEX definitions_suspended ON definitions (project_id) WHERE suspended_at IS NOT NULL;

-- An instance that goes on with another definition takes its open jobs and everything below it along.
CREATE FUNCTION follow_definition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- What held them may hold them no longer.
  WITH RECURSIVE below AS (
    SELECT workflow_id FROM instances WHERE workflow_id = NEW.workflow_id
    UNION ALL
    SELECT i.workflow_id FROM instances i JOIN below b ON i.parent_workflow_id = b.workflow_id
  )
  UPDATE held_instances h SET wake_at = now() FROM below b WHERE h.workflow_id = b.workflow_id;
  UPDATE jobs SET definition_path = NEW.ancestor_definitions || NEW.definition_id WHERE workflow_id = NEW.workflow_id AND status = 'PENDING';
  WITH RECURSIVE below AS (
    SELECT workflow_id FROM instances WHERE parent_workflow_id = NEW.workflow_id
    UNION ALL
    SELECT i.workflow_id FROM instances i JOIN below b ON i.parent_workflow_id = b.workflow_id
  ), moved AS (
    UPDATE instances i SET ancestor_definitions[NEW.depth + 1] = NEW.definition_id FROM below b WHERE i.workflow_id = b.workflow_id
    RETURNING i.workflow_id, i.ancestor_definitions || i.definition_id AS path
  )
  UPDATE jobs j SET definition_path = m.path FROM moved m WHERE j.workflow_id = m.workflow_id AND j.status = 'PENDING';
  RETURN NULL;
END $$;
CREATE TRIGGER instances_follow_definition AFTER UPDATE OF definition_id ON instances
  FOR EACH ROW WHEN (OLD.definition_id <> NEW.definition_id) EXECUTE FUNCTION follow_definition();

-- Who suspended and resumed what.
CREATE TABLE suspension_changes (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- One of both.
  definition_id uuid REFERENCES definitions ON DELETE CASCADE,
  workflow_id text COLLATE "C",
  suspended boolean NOT NULL,
  actor text NOT NULL,
  reason text,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (num_nonnulls(definition_id, workflow_id) = 1)
);
CREATE INDEX suspension_changes_of_definition ON suspension_changes (definition_id, changed_at) WHERE definition_id IS NOT NULL;
CREATE INDEX suspension_changes_of_instance ON suspension_changes (workflow_id, changed_at) WHERE workflow_id IS NOT NULL;

-- Instances that wanted to go on and were paused: they are told when what held them is resumed.
CREATE TABLE held_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  -- The id of the suspended definition, or the workflow id of the suspended instance.
  holder text COLLATE "C" NOT NULL,
  held_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When it is told, or told again; null as long as what holds it is suspended.
  wake_at timestamptz
);
CREATE INDEX held_instances_to_wake ON held_instances (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX held_instances_by_holder ON held_instances (holder);

-- What was resumed while it held instances; gone when all of them have been told.
CREATE TABLE resumptions (
  holder text COLLATE "C" PRIMARY KEY,
  resumed_at timestamptz NOT NULL DEFAULT now()
);

-- Of a signal: processes that it would have started if their newest version had not been suspended.
ALTER TABLE publications ADD COLUMN held_for text[] NOT NULL DEFAULT '{}';
