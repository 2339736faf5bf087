-- Up Migration

-- The schema, by family. Later changes are further files beside this one: docs/how-to/change-released-behavior.md.
--
-- Order of row locks, for everyone: a project, its resources, an instance, its descendants by depth, the rows of these
-- instances, definitions. Transactions that follow it cannot deadlock. Statements that take many rows in another order
-- (polls, the outbox relay) skip locked ones.
--
-- What users write is `json`, not `jsonb`: it comes back as it was written, costs no conversion on the hot path, and
-- text that `jsonb` refuses cannot stop an instance.
--
-- Ids are compared and sorted byte by byte (COLLATE "C"), so their order does not depend on the locale of the database.
--
-- Of two indexes that it considers equally good, Postgres uses the younger one, so the order of indexes matters.

-- For lists that search for a text.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- For pages and polls, which end before they have too many bytes. A large value is stored compressed and out of line. It is
-- read to be measured, so no more are once `bytes` has reached `enough`.
CREATE FUNCTION add_bytes(bytes bigint, value anyelement, enough bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN bytes >= enough THEN bytes ELSE bytes + coalesce(octet_length(value::text), 0) END
$$;

-- Bytes of values as text, counted until they are enough.
CREATE AGGREGATE bytes_until(value anyelement, enough bigint) (SFUNC = add_bytes, STYPE = bigint, INITCOND = '0');

-- The named variables. All of them if their text can have an escape sequence that Postgres cannot decode.
CREATE FUNCTION pick_variables(variables json, names text[]) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN strpos(variables::text, '\u') > 0 THEN variables
    ELSE (SELECT json_object_agg(v.key, v.value) FROM json_each(variables) v WHERE v.key = ANY (names)) END;

-- ---------------------------------------------------------------------------------------------------------------------
-- Projects, files, and definitions
-- ---------------------------------------------------------------------------------------------------------------------

CREATE TABLE projects (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz,
  description text,
  -- Settings. Null: the default of the host applies.
  -- Time to live of messages and signals that do not give one.
  message_ttl_ms bigint CHECK (message_ttl_ms >= 0),
  signal_ttl_ms bigint CHECK (signal_ttl_ms >= 0),
  history_retention_ms bigint CHECK (history_retention_ms >= 0),
  audit_retention_ms bigint,
  -- Null: the project has no event feed.
  event_retention_ms bigint CHECK (event_retention_ms > 0),
  validate_forms boolean NOT NULL DEFAULT false,
  -- Prices of language models, by which turns of agents have costs.
  agent_prices jsonb NOT NULL DEFAULT '[]',
  -- Since when it is being deleted. Nothing shows it anymore; a worker deletes its rows, this one last.
  deleted_at timestamptz
);
CREATE INDEX projects_deleted ON projects (id) WHERE deleted_at IS NOT NULL;

-- A BPMN file: a draft until it is deployed, immutable afterwards.
CREATE TABLE resources (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects,
  name text NOT NULL,
  xml text NOT NULL,
  -- The id of the file's `definitions` element, which its revisions have in common.
  definitions_id text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz,
  -- Counts the changes of the draft, so that an update can name the one it was made from.
  revision integer NOT NULL DEFAULT 1,
  deployed_by text,
  deployed_at timestamptz,
  -- For a copy that a test of a draft runs: the draft.
  tested_draft uuid
);
CREATE INDEX resources_by_project ON resources (project_id, created_at DESC);
CREATE INDEX resources_by_definitions_id ON resources (project_id, definitions_id, created_at DESC);

-- Compiled graphs by the hash of their content. An instance needs its graph as long as it can be replayed.
CREATE TABLE graphs (
  sha256 text COLLATE "C" PRIMARY KEY,
  graph text NOT NULL
);

-- The names of user tasks, because lists filter by them. Escapes that Postgres cannot decode (NUL, lone surrogates)
-- become U+FFFD.
CREATE TABLE user_task_names (
  graph_sha256 text COLLATE "C" NOT NULL REFERENCES graphs,
  node_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (graph_sha256, node_id)
);

CREATE FUNCTION copy_user_task_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_task_names (graph_sha256, node_id, name)
  SELECT NEW.sha256, node ->> 'id', node ->> 'name' FROM json_array_elements(
    regexp_replace(NEW.graph, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json -> 'nodes') node
  WHERE node ->> 'kind' = 'userTask' AND node ->> 'name' IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER copy_user_task_names AFTER INSERT ON graphs FOR EACH ROW EXECUTE FUNCTION copy_user_task_names();

-- Bundles: several files deployed in one transaction.
CREATE TABLE deployments (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text,
  reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The outcome of each file, as the API reports it, without warnings.
  files json NOT NULL
);
CREATE INDEX deployments_by_project ON deployments (project_id, number DESC);

-- One deployed version of one process.
CREATE TABLE definitions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects,
  resource_id uuid NOT NULL REFERENCES resources,
  -- The bundle that deployed this version; null if the file was deployed alone.
  deployment_id uuid REFERENCES deployments,
  process_id text COLLATE "C" NOT NULL,
  process_name text,
  version integer NOT NULL,
  version_tag text,
  graph_sha256 text COLLATE "C" NOT NULL REFERENCES graphs,
  -- Version of the compiler that made the graph. A host with a newer one compiles the file again in the background, for
  -- instances that start later.
  compiler_version integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Whether it can be started without an event. False if only events start the process.
  starts_by_call boolean NOT NULL DEFAULT true,
  -- Whether its process has settings that starts must keep. Other starts do not read the settings.
  controlled boolean NOT NULL DEFAULT false,
  -- Its start form and the forms embedded in its file; null without any.
  forms json,
  -- Its start events that agents can call; null without any.
  tools json,
  suspended_at timestamptz,
  suspended_by text,
  suspend_reason text,
  -- Suspension of starts only: running instances continue. A full suspension clears it.
  starts_suspended_at timestamptz,
  starts_suspended_by text,
  starts_suspend_reason text,
  -- A suspension at a later time, in full or of starts only.
  suspension_scheduled_at timestamptz,
  suspension_scheduled_instances boolean,
  suspension_scheduled_by text,
  suspension_scheduled_actor_type text,
  suspension_scheduled_reason text,
  -- When a worker applies the scheduled suspension (again): later after an attempt that failed.
  suspension_due_at timestamptz,
  -- Its project is being deleted. A start locks this row and not the project's, so the mark is here as well.
  deleted_at timestamptz,
  CHECK (num_nulls(suspension_scheduled_at, suspension_scheduled_instances, suspension_scheduled_by,
    suspension_scheduled_actor_type, suspension_due_at) IN (0, 5))
);
-- Each test of a draft has its own definition, and all of them are version 0.
CREATE UNIQUE INDEX definitions_by_version ON definitions
  (project_id, process_id, version, (CASE WHEN version = 0 THEN id::text ELSE '' END));
CREATE INDEX definitions_by_resource ON definitions (resource_id);
CREATE INDEX definitions_with_tools ON definitions (project_id, process_id) WHERE tools IS NOT NULL;
CREATE INDEX definitions_suspended ON definitions (project_id) WHERE suspended_at IS NOT NULL;
-- Deleting a project deletes its deployments, and Postgres looks for definitions that refer to each of them.
CREATE INDEX definitions_by_deployment ON definitions (deployment_id) WHERE deployment_id IS NOT NULL;
-- By project, so that workers serve all projects.
CREATE INDEX definitions_suspension_due ON definitions (project_id, suspension_due_at)
  WHERE suspension_due_at IS NOT NULL;

-- Meaning of `bindingType="deployment"` for the processes of a bundle: every process, decision, and form in it, with the
-- version that was current after the deployment, unchanged ones included.
CREATE TABLE deployment_items (
  deployment_id uuid NOT NULL REFERENCES deployments ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('PROCESS', 'DECISION', 'FORM')),
  key text COLLATE "C" NOT NULL,
  -- A row of definitions, decision_definitions, or forms.
  id uuid NOT NULL,
  PRIMARY KEY (deployment_id, kind, key)
);

-- One version of one form; immutable.
CREATE TABLE forms (
  id uuid PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  form_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  version_tag text COLLATE "C",
  deployment_id uuid NOT NULL REFERENCES deployments ON DELETE CASCADE,
  -- The file: form-js JSON.
  schema json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, form_id, version)
);
CREATE INDEX forms_by_deployment ON forms (deployment_id);

-- Element templates for modelers; processes do not read them. A deployment replaces all of an id.
CREATE TABLE element_templates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  template_id text COLLATE "C" NOT NULL,
  -- The version that the template states; null without one.
  version integer,
  deployment_id uuid NOT NULL REFERENCES deployments ON DELETE CASCADE,
  -- The whole template.
  template json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX element_templates_by_version ON element_templates (project_id, template_id, coalesce(version, -1));
CREATE INDEX element_templates_by_deployment ON element_templates (deployment_id);

-- The nodes of a definition that show a form named by a constant id: its user tasks, and its start event.
CREATE TABLE form_uses (
  definition_id uuid NOT NULL REFERENCES definitions ON DELETE CASCADE,
  node_id text NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  form_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (definition_id, node_id)
);
CREATE INDEX form_uses_by_form ON form_uses (project_id, form_id);

CREATE FUNCTION copy_form_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM form_uses WHERE definition_id = NEW.id;
  INSERT INTO form_uses (definition_id, node_id, project_id, form_id)
  SELECT NEW.id, node_id, NEW.project_id, form_id FROM (
    SELECT node ->> 'id' AS node_id, node #>> '{formID,literal}' AS form_id
    FROM graphs g CROSS JOIN json_array_elements(
      regexp_replace(g.graph, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json -> 'nodes') node
    WHERE g.sha256 = NEW.graph_sha256 AND g.graph LIKE '%"formID":%' AND node ->> 'kind' = 'userTask'
    UNION ALL
    SELECT coalesce(g.graph::json #>> '{nodes,0,start}', NEW.process_id), NEW.forms #>> '{start,formID}'
    FROM graphs g WHERE g.sha256 = NEW.graph_sha256 AND NEW.forms #>> '{start,formID}' IS NOT NULL
  ) used WHERE length(form_id) <= 255;
  RETURN NULL;
END $$;
CREATE TRIGGER copy_form_uses AFTER INSERT OR UPDATE OF graph_sha256, forms ON definitions
FOR EACH ROW WHEN (NEW.version > 0) EXECUTE FUNCTION copy_form_uses();

-- ---------------------------------------------------------------------------------------------------------------------
-- Instances
-- ---------------------------------------------------------------------------------------------------------------------
-- A step commit changes the counters of `instances` only in columns without an index, so that it stays a heap-only update.

CREATE TABLE instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  -- In order of creation; lists and searches are sorted by it, newest first.
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  -- For a migrated instance: the version that it was started with.
  started_definition_id uuid,
  parent_workflow_id text COLLATE "C",
  -- The wait of the parent that ends with this instance; null once nothing waits for it.
  parent_wait integer,
  root_workflow_id text COLLATE "C" NOT NULL,
  -- Number of ancestors.
  depth integer NOT NULL DEFAULT 0,
  -- Their definitions, the root's first.
  ancestor_definitions uuid[] NOT NULL DEFAULT '{}',
  -- The ended instance that it restarts, which may have been removed since.
  restarted_from text,
  -- Of an imported instance: the system that it comes from, its id there, who started it there, and when it was imported.
  imported_system text,
  imported_id text,
  imported_started_by text,
  imported_at timestamptz,
  business_id text,
  status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')),
  failure_reason text,
  started_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  -- Captured variables: the process's own, as of the last step commit that changed them.
  variables json NOT NULL,
  captured_at timestamptz NOT NULL DEFAULT now(),
  -- Names, types, numbers, and the beginnings of strings in `variables`; see store/sql/search-summary.ts. Null if there
  -- are too many names: such an instance is always evaluated.
  search_summary jsonb,
  -- Names of variables whose values were redacted, in any scope of the instance.
  redacted_variables text[] NOT NULL DEFAULT '{}',
  -- Node ids as of the last step commit. Null before the first one and after the end.
  active_nodes text[] COLLATE "C",
  -- Its own and those of its descendants.
  open_incidents integer NOT NULL DEFAULT 0,
  -- Of a root: no more of its descendants run. Calls add to it; ends do not change it, so a count corrects it at the limit.
  descendants_at_most integer NOT NULL DEFAULT 0,
  -- It or an ancestor is being canceled: its work is no longer leased or accepted.
  canceling boolean NOT NULL DEFAULT false,
  suspended_at timestamptz,
  suspended_by text,
  suspend_reason text,
  -- An ancestor instance is suspended.
  ancestor_suspended boolean NOT NULL DEFAULT false,
  step_count integer NOT NULL DEFAULT 0,
  fact_count integer NOT NULL DEFAULT 0,
  -- Entries of its history.
  entry_count integer NOT NULL DEFAULT 0,
  command_count integer NOT NULL DEFAULT 0,
  -- Number of the last command that the instance had read at its last step commit. A command is signaled only if the
  -- instance has read all commands before it.
  received_commands integer NOT NULL DEFAULT 0,
  -- The workflow worker whose step commit lingers for the next command, and until when at the latest.
  lingering_worker text,
  lingering_until timestamptz,
  -- Until when a request waits for the end or an incident of the instance, which is then announced.
  result_awaited_until timestamptz,
  -- The group of its process whose places it needs; null if it is not counted.
  concurrency_group bigint,
  -- It waits for a place there and has no workflow yet.
  queued boolean NOT NULL DEFAULT false,
  -- The Nexus endpoint whose caller waits for the end of the instance; null once that is reported.
  nexus_endpoint text COLLATE "C"
) WITH (fillfactor = 80);
-- Long variables are stored out of line, the summary is not: a search reads it for every instance.
ALTER TABLE instances ALTER COLUMN search_summary SET STORAGE MAIN;
-- For lists, whose orders are those of store/instances/lists.ts.
CREATE UNIQUE INDEX instances_by_project ON instances (project_id, number DESC);
CREATE INDEX instances_by_definition ON instances (definition_id, number DESC);
CREATE INDEX instances_by_creation ON instances (project_id, created_at DESC);
CREATE INDEX instances_by_business_id ON instances (project_id, business_id, number DESC)
  WHERE business_id IS NOT NULL;
CREATE UNIQUE INDEX instances_imported ON instances (project_id, imported_system, imported_id)
  WHERE imported_system IS NOT NULL;
-- For searches by time: numbers of imported instances are not in the order of creation.
CREATE INDEX instances_imported_by_number ON instances (definition_id, number) WHERE imported_system IS NOT NULL;
-- For statistics by age, for the same reason.
CREATE INDEX instances_imported_running ON instances (project_id) WHERE imported_system IS NOT NULL AND status = 'RUNNING';
CREATE INDEX instances_by_parent ON instances (parent_workflow_id) WHERE parent_workflow_id IS NOT NULL;
CREATE INDEX instances_running ON instances (project_id, definition_id, number DESC) WHERE status = 'RUNNING';
CREATE INDEX instances_running_by_number ON instances (number) WHERE status = 'RUNNING';
CREATE INDEX instances_failed_or_canceled ON instances (project_id, status, number DESC)
  WHERE status IN ('FAILED', 'CANCELED');
CREATE INDEX instances_with_incident ON instances (project_id, number DESC) WHERE open_incidents > 0;
-- For the list of paused ones: suspended instances and those below them, and those below suspended definitions. Starts of
-- root instances and steps write to neither.
CREATE INDEX instances_suspended ON instances (project_id, number DESC)
  WHERE status = 'RUNNING' AND (suspended_at IS NOT NULL OR ancestor_suspended);
CREATE INDEX instances_running_below ON instances USING gin (ancestor_definitions) WITH (fastupdate = off)
  WHERE status = 'RUNNING' AND ancestor_definitions <> '{}';
-- For retention, which removes roots with their descendants.
CREATE INDEX instances_ended ON instances (project_id, completed_at)
  WHERE status <> 'RUNNING' AND parent_workflow_id IS NULL;
-- Descendants by their root: the running ones first, which calls count at the limit, then by their end, newest first.
CREATE INDEX instances_below_root ON instances (root_workflow_id, completed_at DESC NULLS FIRST)
  WHERE parent_workflow_id IS NOT NULL;
-- For lists.
CREATE INDEX instances_by_business_id_text ON instances (project_id, business_id COLLATE "C", number)
  WHERE business_id IS NOT NULL;
CREATE INDEX instances_by_completion ON instances (project_id, completed_at, number) WHERE completed_at IS NOT NULL;
CREATE INDEX instances_by_failure_reason ON instances USING gin (lower(failure_reason) gin_trgm_ops)
  WHERE failure_reason IS NOT NULL;
CREATE INDEX instances_by_starter ON instances (project_id, started_by, number) WHERE started_by IS NOT NULL;
CREATE INDEX instances_restarted ON instances (project_id, restarted_from, number) WHERE restarted_from IS NOT NULL;
-- Ends that a Nexus caller does not know yet; empty most of the time.
CREATE INDEX instances_ended_for_nexus ON instances (completed_at)
  WHERE nexus_endpoint IS NOT NULL AND status <> 'RUNNING';

-- Instances that have not committed a step yet. The first step commit deletes the row.
CREATE TABLE instance_starts (
  workflow_id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  -- How it starts, without its variables, which are in `instances`.
  input json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the outbox relay sends it to Temporal (again); infinity once Temporal has accepted it, and while it is queued.
  deliver_at timestamptz NOT NULL,
  -- While it is queued: the group whose place it waits for, and its rank there, which is the number of the instance.
  queue_group bigint,
  queue_rank bigint
);
-- By project, so that the outbox relay serves all projects.
CREATE INDEX instance_starts_due ON instance_starts (project_id, deliver_at) WHERE deliver_at < 'infinity';

CREATE INDEX instance_starts_queued ON instance_starts (queue_group, queue_rank) WHERE queue_group IS NOT NULL;

-- Settings of a process, for its root instances of all versions. Every row says so in `definitions.controlled`, unless all
-- of its settings are the defaults.
CREATE TABLE process_settings (
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  process_id text COLLATE "C" NOT NULL,
  unique_business_id text NOT NULL DEFAULT 'NONE' CHECK (unique_business_id IN ('NONE', 'RUNNING', 'EVER')),
  -- For each value of the key. Null: no limit.
  concurrent_instances integer CHECK (concurrent_instances > 0),
  -- As it was written, and parsed.
  concurrency_key text CHECK (length(concurrency_key) <= 16384),
  concurrency_key_tree json,
  when_full text NOT NULL DEFAULT 'QUEUE' CHECK (when_full IN ('QUEUE', 'REFUSE')),
  max_queued integer NOT NULL DEFAULT 10000 CHECK (max_queued > 0),
  -- Instances that wait for a place now.
  queued integer NOT NULL DEFAULT 0,
  -- The queue was full for a message or a signal, which is kept until there is room.
  has_overflowed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, process_id)
);
CREATE INDEX process_settings_overflowed ON process_settings (project_id) WHERE has_overflowed;

-- Processes whose limit is new, while not all instances from before it are counted: nothing gets a place. Locked after the
-- settings of the process and before its groups.
CREATE TABLE counting_processes (
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  -- The number up to which they are counted.
  counted_through bigint NOT NULL DEFAULT 0,
  -- When the next page is counted.
  due_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, process_id),
  FOREIGN KEY (project_id, process_id) REFERENCES process_settings ON DELETE CASCADE
);
CREATE INDEX counting_processes_due ON counting_processes (project_id, due_at);

-- Places of a process by the value of its concurrency key, as long as there are instances with that value. Locked after the
-- settings of the process, if both are.
CREATE TABLE concurrency_groups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  -- The digest of the key, because its value may be personal data. Empty without a key.
  key_sha256 bytea NOT NULL,
  -- Instances that have a place, and that wait for one.
  running integer NOT NULL DEFAULT 0,
  queued integer NOT NULL DEFAULT 0,
  -- When the outbox relay looks whether a queued instance can begin; null if nothing has changed that would let one.
  due_at timestamptz
);
CREATE UNIQUE INDEX concurrency_groups_by_key ON concurrency_groups (project_id, process_id, key_sha256);
CREATE INDEX concurrency_groups_due ON concurrency_groups (project_id, due_at) WHERE due_at IS NOT NULL;

-- A place becomes free in the transaction that ends its instance. Statements of a trigger see what others have committed
-- while the step waited for the lock of the instance.
CREATE FUNCTION free_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place concurrency_groups;
BEGIN
  IF OLD.queued THEN
    UPDATE process_settings s SET queued = s.queued - 1 FROM concurrency_groups g
    WHERE g.id = OLD.concurrency_group AND s.project_id = g.project_id AND s.process_id = g.process_id;
  END IF;
  SELECT * INTO place FROM concurrency_groups WHERE id = OLD.concurrency_group FOR UPDATE;
  IF place.running + place.queued <= 1 THEN
    DELETE FROM concurrency_groups WHERE id = place.id;
  ELSE
    UPDATE concurrency_groups SET running = running - (NOT OLD.queued)::integer, queued = queued - OLD.queued::integer,
      due_at = CASE WHEN queued > OLD.queued::integer THEN coalesce(due_at, now()) END
    WHERE id = place.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER free_place AFTER UPDATE OF status ON instances FOR EACH ROW
  WHEN (OLD.concurrency_group IS NOT NULL AND OLD.status = 'RUNNING' AND NEW.status <> 'RUNNING')
  EXECUTE FUNCTION free_place();

-- Of the instances that began before that moment, apart from imported ones: all have this number at most, and later ones
-- have higher numbers, apart from a few milliseconds. Imported instances have their number from the import, so if one is
-- in the way, the number is searched by the times at which numbers were given.
CREATE FUNCTION last_number_before(project text, moment timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  found_number bigint;
  is_imported boolean;
  given_at timestamptz;
  low bigint := 0;
  high bigint;
BEGIN
  SELECT number, imported_system IS NOT NULL INTO found_number, is_imported FROM instances
  WHERE project_id = project AND created_at < moment ORDER BY created_at DESC LIMIT 1;
  IF found_number IS NULL THEN
    RETURN 0;
  ELSIF NOT is_imported THEN
    RETURN found_number;
  END IF;
  SELECT number INTO high FROM instances WHERE project_id = project ORDER BY number DESC LIMIT 1;
  WHILE low < high LOOP
    SELECT number, coalesce(imported_at, created_at) INTO found_number, given_at FROM instances
    WHERE project_id = project AND number > low AND number <= low + (high - low + 1) / 2 ORDER BY number DESC LIMIT 1;
    IF found_number IS NULL OR given_at < moment THEN
      low := low + (high - low + 1) / 2;
    ELSE
      high := found_number - 1;
    END IF;
  END LOOP;
  RETURN low;
END $$;

-- The instance that was the last to start with a business id, while the process has `unique_business_id`. A start locks
-- the row, so that starts with the same id come one after the other.
CREATE TABLE business_id_holders (
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  business_id text NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, process_id, business_id)
);
CREATE INDEX business_id_holders_by_instance ON business_id_holders (workflow_id);

-- Step commits: the inputs of each step and the facts that came of it.
CREATE TABLE steps (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  -- Facts and entries of the history before this step: a page finds its steps by binary search.
  facts_before integer NOT NULL,
  fact_count integer NOT NULL,
  entries_before integer NOT NULL DEFAULT 0,
  -- Everything besides the state before it that the step depended on.
  inputs json NOT NULL,
  facts json NOT NULL,
  -- The state after the step, in some steps.
  snapshot json,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX steps_with_snapshot ON steps (workflow_id, number DESC) WHERE snapshot IS NOT NULL;

-- Steps that concern element instances of earlier steps, so that a page of the history need not read all steps between.
CREATE TABLE far_steps (
  workflow_id text COLLATE "C" NOT NULL,
  -- The number of an element instance, or a constant of store/steps/far-steps.ts.
  subject integer NOT NULL,
  step integer NOT NULL,
  -- Facts about the subject in this step.
  times integer NOT NULL,
  PRIMARY KEY (workflow_id, subject, step)
);

CREATE TABLE commands (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL,
  body json NOT NULL,
  -- The signal that the command delivers. The body cannot be searched for it, because it may contain text that Postgres
  -- cannot decode.
  signal_id uuid,
  -- Variables of the signal, if they are too large for the body.
  payload_id uuid,
  actor text,
  reason text,
  -- A request waits for the outcome, which is then announced.
  awaited boolean NOT NULL,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'APPLIED', 'REJECTED')),
  code text,
  message text,
  -- All reasons of a rejection that can have several: a list of sentences.
  issues json,
  created_at timestamptz NOT NULL DEFAULT now(),
  applied_at timestamptz,
  -- When the outbox relay signals it (again).
  deliver_at timestamptz NOT NULL,
  -- The audit entry of the command; null if it gets none. Triggers write the entry and its outcome, so that each
  -- statement that inserts a command or records its outcome does so with the entry.
  audit jsonb,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX commands_by_payload ON commands (payload_id) WHERE payload_id IS NOT NULL;
-- Whether an instance has received a signal by another command.
CREATE INDEX commands_of_signals ON commands (workflow_id, signal_id) WHERE signal_id IS NOT NULL;
-- By project, so that the outbox relay serves all projects.
CREATE INDEX commands_due ON commands (project_id, deliver_at) WHERE status = 'PENDING';
-- Cancels of child instances that their parents no longer wait for, for the timeline. The condition is that of
-- store/instances/timeline.ts. The kind is the first member of the body.
CREATE INDEX commands_of_parents ON commands (workflow_id)
  WHERE actor IS NULL AND audit IS NULL
    AND substring(left(body::text, 64) FROM '^\{ ?"kind" ?: ?"([A-Z_]+)"') = 'CANCEL_INSTANCE';

-- Values too large for Temporal: its histories contain their digests. A value is deleted with the run that stored it,
-- never by age, so a value that two runs have stored has two rows.
CREATE TABLE stored_payloads (
  workflow_id text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  -- The id of the run, the start of the instance, or a resync.
  stored_by text COLLATE "C" NOT NULL,
  -- A payload of Temporal as protobuf, encrypted if the host encrypts.
  payload bytea NOT NULL,
  PRIMARY KEY (workflow_id, sha256, stored_by)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Work: jobs, user tasks, incidents
-- ---------------------------------------------------------------------------------------------------------------------

CREATE TABLE jobs (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- The definitions of its instance's ancestors and of the instance itself: a poll passes over all jobs of a suspended
  -- definition at once.
  definition_path uuid[] NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED', 'CANCELED')),
  priority integer NOT NULL DEFAULT 0,
  -- Attempts left, including the current one.
  retries integer NOT NULL,
  headers json,
  -- The kind and the event of the listener whose job it is. Null: it is the work of its node.
  listener json,
  local_variables json,
  -- W3C trace context of the step that created it, for the spans of its job worker.
  trace_context json,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  -- When it can be leased: at once, when its lease or its backoff ends, or never because a command ends it.
  available_at timestamptz NOT NULL,
  -- Its instance is being canceled, or the instance or an ancestor instance is suspended: polls do not read the job.
  withheld boolean NOT NULL DEFAULT false,
  -- Until when its result continues the instance in the same workflow task: polls prefer such jobs.
  hot_until timestamptz,
  -- Number of leases so far. A result names the lease under which it was made.
  lease integer NOT NULL DEFAULT 0,
  locked_by text,
  lock_expires_at timestamptz,
  first_leased_at timestamptz,
  -- Start of the last lease; the working time is measured from here.
  leased_at timestamptz,
  error_code text,
  error_message text,
  cancel_reason text,
  -- The command that ends it, its sender, and a hash of its content, which a repetition is compared with.
  ending_command integer,
  ended_by_client text,
  ending_sha256 text,
  -- Its limit key as JSON, and the group of jobs with this key. Both are null without a key.
  limit_key text,
  limit_group text COLLATE "C",
  keyed boolean NOT NULL GENERATED ALWAYS AS (limit_group IS NOT NULL) STORED,
  -- Its present or last lease counts for the limit of its type.
  counted boolean NOT NULL DEFAULT false,
  -- Where its work runs on Temporal, if connectors started it there.
  execution json,
  -- It has an execution that must be canceled if the job ends without it, and when that is tried (again).
  cancel_execution_at timestamptz,
  PRIMARY KEY (workflow_id, number)
) WITH (fillfactor = 80);
-- For lists, whose expressions and orders are those of store/work/job-lists.ts.
CREATE INDEX jobs_by_project ON jobs (project_id, created_at DESC);
CREATE INDEX jobs_by_task_type ON jobs (project_id, task_type, created_at DESC);
CREATE INDEX jobs_failed_or_canceled ON jobs (project_id, status, created_at DESC)
  WHERE status IN ('FAILED', 'CANCELED');
CREATE INDEX jobs_by_completion ON jobs (project_id, completed_at, workflow_id, number) WHERE completed_at IS NOT NULL;
CREATE INDEX jobs_by_definition ON jobs (project_id, (definition_path[cardinality(definition_path)]), created_at DESC);
CREATE INDEX jobs_by_error_code ON jobs (project_id, error_code, created_at DESC) WHERE error_code IS NOT NULL;
CREATE INDEX jobs_by_node ON jobs (project_id, node_id, created_at DESC);
-- For the list in the order of priorities.
CREATE INDEX jobs_listed_by_priority ON jobs (project_id, priority, workflow_id, number);
-- For polls (store/work/poll-statement.ts): by priority, of all definition paths, or of one while a definition is suspended.
CREATE INDEX jobs_of_type_by_priority ON jobs (project_id, task_type, withheld, keyed, priority, available_at)
  WHERE status = 'PENDING';
CREATE INDEX jobs_by_priority ON jobs (project_id, task_type, withheld, keyed, definition_path, priority, available_at)
  WHERE status = 'PENDING';
-- For polls: the hot ones.
CREATE INDEX jobs_hot ON jobs (project_id, task_type, hot_until) WHERE status = 'PENDING' AND hot_until IS NOT NULL;
-- For polls: the longest available of the jobs with a priority, of which there are few.
CREATE INDEX jobs_of_type_prioritized ON jobs (project_id, task_type, withheld, keyed, available_at)
  WHERE status = 'PENDING' AND priority <> 0;
CREATE INDEX jobs_prioritized ON jobs (project_id, task_type, withheld, keyed, definition_path, available_at)
  WHERE status = 'PENDING' AND priority <> 0;

-- For polls of limited types: pending jobs of each limit key, and the leases that count. Their first column is that of
-- store/work/limits/usage.ts, so that no other index looks as good without statistics.
CREATE INDEX jobs_by_limit_group ON jobs ((project_id || ' ' || task_type), withheld, priority, limit_group, available_at)
  WHERE status = 'PENDING' AND limit_group IS NOT NULL;
CREATE INDEX jobs_counted ON jobs ((project_id || ' ' || task_type), coalesce(limit_group, ''), lock_expires_at)
  WHERE counted AND status = 'PENDING' AND ending_command IS NULL;

-- Jobs that ended without their executions, which connectors cancel.
CREATE INDEX jobs_with_execution_to_cancel ON jobs (cancel_execution_at)
  WHERE cancel_execution_at IS NOT NULL AND status <> 'PENDING';

-- Executions on Temporal of jobs, from before they are started until their end is reported. They refer to no job: an
-- execution can outlive the rows of its instance, and is canceled then.
CREATE TABLE temporal_executions (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  -- In the memo of the execution, by which it is known.
  token uuid NOT NULL,
  -- Null until it is known to have started.
  run_id text,
  -- Of the last attempt to start it.
  attempted_at timestamptz NOT NULL,
  -- The lease of the job under which its end is reported.
  client_id text NOT NULL,
  lease text NOT NULL,
  look_at timestamptz NOT NULL,
  looks integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX temporal_executions_by_look ON temporal_executions (look_at);

-- Turns of agents: each is one request to a model, from before it is sent, and the answer that counts.
CREATE TABLE agent_turns (
  workflow_id text COLLATE "C" NOT NULL,
  -- The activation of the ad-hoc sub-process, which has one conversation.
  element integer NOT NULL,
  turn integer NOT NULL,
  node_id text NOT NULL,
  -- The model that was asked last.
  model text NOT NULL,
  -- The job that took the turn on last. Once it has completed, the calls of the turn have been started.
  job integer NOT NULL,
  -- When the request was sent last.
  started_at timestamptz NOT NULL DEFAULT now(),
  -- Null: there is no answer yet.
  answered_at timestamptz,
  duration_ms integer,
  input_tokens integer,
  output_tokens integer,
  -- Tokens that count for the limit: those of the answer, and what was reserved for requests whose outcome is not known.
  counted_tokens bigint NOT NULL,
  -- The error code of an answer that cannot be acted on.
  failure text,
  text text,
  -- Calls of tools, with their arguments and results.
  calls json NOT NULL DEFAULT '[]',
  PRIMARY KEY (workflow_id, element, turn)
);

-- Task types that polls treat in a special way: those with a limit, and those with jobs that have a limit key. The limit
-- of a type holds for the tests of the project, too, but these are counted apart.
CREATE TABLE job_limits (
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  task_type text COLLATE "C" NOT NULL,
  -- A job of the type has had a limit key.
  keyed boolean NOT NULL DEFAULT false,
  concurrent integer CHECK (concurrent > 0),
  rate_count integer CHECK (rate_count > 0),
  rate_per_ms integer CHECK (rate_per_ms > 0),
  -- Names the PUT that limited the type until all leases from before it count.
  counting uuid,
  updated_by text,
  updated_at timestamptz,
  PRIMARY KEY (project_id, task_type),
  CHECK ((rate_count IS NULL) = (rate_per_ms IS NULL))
);

-- The turns and the leases of the keys of a limited type. An empty group has the jobs without a key.
CREATE TABLE limit_groups (
  project_id text COLLATE "C" NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  in_tests boolean NOT NULL,
  limit_group text COLLATE "C" NOT NULL,
  -- When a job of it was last leased.
  served_at timestamptz NOT NULL,
  -- For the rate: times, and how many jobs were leased at each.
  counted_at timestamptz[] NOT NULL DEFAULT '{}',
  counted integer[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (project_id, task_type, in_tests, limit_group),
  FOREIGN KEY (project_id, task_type) REFERENCES job_limits ON DELETE CASCADE
);

-- Clients that polled for jobs, to show the active job workers.
CREATE TABLE job_workers (
  project_id text COLLATE "C" NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  client_id text NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, task_type, client_id)
);

CREATE TABLE user_tasks (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  status text NOT NULL DEFAULT 'CREATED' CHECK (status IN ('CREATED', 'COMPLETED', 'FAILED', 'CANCELED')),
  candidate_users text[] NOT NULL,
  candidate_groups text[] NOT NULL,
  assignee text COLLATE "C",
  assigned_at timestamptz,
  -- Null if the model assigned the task.
  assigned_by text,
  first_assigned_at timestamptz,
  priority integer NOT NULL DEFAULT 50,
  due_date timestamptz,
  follow_up_date timestamptz,
  -- Whether the event that the task is overdue has been written.
  overdue_reported boolean NOT NULL DEFAULT false,
  form_key text,
  form_id text,
  -- How the form is bound; null: the latest version.
  form_binding json,
  -- The version that was bound to the task (forms.id).
  form_version_id uuid,
  -- The version of the process that embeds the form. A migrated instance keeps it.
  form_definition_id uuid,
  headers json,
  local_variables json,
  completion_variables json,
  comment_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  error_code text,
  cancel_reason text,
  -- The request that claims the task: one to end it, or one that listeners decide about.
  ending_command integer,
  -- The requests that listeners of the node decide about; null if none.
  decided text[],
  -- The event whose listeners decide now; null if none do.
  asked text,
  -- The last request that a listener has denied: its event, when, and why. Null once there is another request.
  denied json,
  PRIMARY KEY (workflow_id, number)
) WITH (fillfactor = 80);
-- For lists, whose orders are those of store/work/user-tasks/lists.ts.
CREATE INDEX user_tasks_by_project ON user_tasks (project_id, created_at DESC);
CREATE INDEX user_tasks_open ON user_tasks (project_id, created_at DESC) WHERE status = 'CREATED';
CREATE INDEX user_tasks_by_assignee ON user_tasks (project_id, assignee, created_at DESC) WHERE assignee IS NOT NULL;
CREATE INDEX user_tasks_by_candidate_user ON user_tasks USING gin (candidate_users) WHERE candidate_users <> '{}';
CREATE INDEX user_tasks_by_candidate_group ON user_tasks USING gin (candidate_groups) WHERE candidate_groups <> '{}';
-- For the event of a task that becomes overdue.
CREATE INDEX user_tasks_becoming_overdue ON user_tasks (project_id, due_date)
  WHERE status = 'CREATED' AND due_date IS NOT NULL AND NOT overdue_reported;
-- For lists.
CREATE INDEX user_tasks_ended ON user_tasks (project_id, completed_at, workflow_id, number)
  WHERE completed_at IS NOT NULL;
-- For lists, in both directions: tasks without a due date come last, by their creation.
CREATE INDEX user_tasks_open_by_due_date ON user_tasks (project_id, due_date, workflow_id, number)
  WHERE status = 'CREATED' AND due_date IS NOT NULL;
CREATE INDEX user_tasks_open_by_priority ON user_tasks (project_id, priority, workflow_id, number)
  WHERE status = 'CREATED';
CREATE INDEX user_tasks_open_unassigned ON user_tasks (project_id, due_date, workflow_id, number)
  WHERE status = 'CREATED' AND assignee IS NULL;

-- Comments belong to the activation of a task, so later registrations list them too.
CREATE TABLE user_task_comments (
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  user_task integer NOT NULL,
  ordinal integer NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  text text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The author is a person of another system.
  imported boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workflow_id, element, user_task, ordinal)
);

CREATE TABLE incidents (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  -- The element instance around that of the incident.
  scope integer,
  -- WITHDRAWN: its element has ended, so there is nothing to resolve.
  status text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'RESOLVED', 'WITHDRAWN')),
  error_type text NOT NULL,
  error_code text,
  message text NOT NULL,
  -- Incidents with the same process, node, error, and text have the same group. Set by a trigger, because migrations of
  -- instances rename nodes.
  group_id text COLLATE "C" NOT NULL,
  -- The job or user task whose failure raised it.
  failed_work integer,
  -- The resolved incident whose retry failed again.
  previous integer,
  raised_at timestamptz NOT NULL,
  ended_at timestamptz,
  resolved_by text,
  ending_command integer,
  PRIMARY KEY (workflow_id, number)
);
-- For lists, whose orders are those of store/work/incidents/lists.ts.
CREATE INDEX incidents_by_project ON incidents (project_id, raised_at DESC);
CREATE INDEX incidents_open ON incidents (project_id, raised_at DESC) WHERE status = 'OPEN';
CREATE INDEX incidents_by_definition ON incidents (definition_id, raised_at DESC);
CREATE INDEX incidents_by_error_type ON incidents (project_id, error_type, raised_at DESC);
CREATE INDEX incidents_by_error_code ON incidents (project_id, error_code, raised_at DESC)
  WHERE error_code IS NOT NULL;
CREATE INDEX incidents_by_group ON incidents (project_id, group_id, raised_at DESC);
CREATE INDEX incidents_by_node ON incidents (project_id, node_id, raised_at DESC);
CREATE INDEX incidents_by_text ON incidents USING gin (lower(message) gin_trgm_ops);

-- The message without what differs between incidents of the same cause: quoted text, UUIDs, and numbers. Group ids contain
-- the result, so it must never change.
CREATE FUNCTION incident_text(message text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  regexp_replace(
    left(message, 1000) COLLATE "C",
    '"(?:[^"\\]|\\.)*(?:"|$)|(?<![A-Za-z0-9_])''[^'']*''(?![A-Za-z0-9_])|`[^`]*`|“[^”]*”|«[^»]*»'
      '|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}|[0-9]+(?:[.,][0-9]+)*',
    '…', 'g');

CREATE FUNCTION incident_group(process_id text, node_id text, error_type text, error_code text, message text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  left(encode(sha256(convert_to(
    jsonb_build_array(process_id, node_id, error_type, error_code, incident_text(message))::text, 'UTF8')), 'hex'), 32);

CREATE FUNCTION group_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.group_id := incident_group((SELECT process_id FROM definitions WHERE id = NEW.definition_id),
    NEW.node_id, NEW.error_type, NEW.error_code, NEW.message);
  RETURN NEW;
END $$;
CREATE TRIGGER group_incident BEFORE INSERT OR UPDATE OF definition_id, node_id ON incidents
  FOR EACH ROW EXECUTE FUNCTION group_incident();

-- ---------------------------------------------------------------------------------------------------------------------
-- Messages, signals, and start events
-- ---------------------------------------------------------------------------------------------------------------------
-- A publication and a subscription are written without a lock, each with `match_at`. They are matched afterwards, in a
-- transaction that holds the advisory lock of their channel. Whichever is matched last sees the other, so none is missed.
--
-- Order of locks: the channel's advisory lock, an instance, its subscription, the publication. A step commit takes an
-- instance and its rows, and never waits for a channel.

-- Open waits of instances for a message or a signal; closed ones are deleted.
CREATE TABLE subscriptions (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  -- In order of opening: the oldest takes a message.
  position bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  type text NOT NULL CHECK (type IN ('message', 'signal')),
  name text NOT NULL,
  -- SHA-256 of type and name.
  channel text COLLATE "C" NOT NULL,
  -- SHA-256 of the channel and of each value that a message must have to match; `key` is the first of them.
  key text COLLATE "C" NOT NULL,
  keys text[] NOT NULL,
  correlation json,
  opened_at timestamptz NOT NULL DEFAULT now(),
  -- The publication that is being delivered to it; it takes no other.
  publication_id uuid,
  -- When it is compared with the stored publications; null once that is done.
  match_at timestamptz,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX subscriptions_open ON subscriptions (key, project_id, position) WHERE publication_id IS NULL;
CREATE INDEX subscriptions_by_channel ON subscriptions (channel, project_id, position);
CREATE INDEX subscriptions_by_project ON subscriptions (project_id, opened_at);
CREATE INDEX subscriptions_due ON subscriptions (project_id, match_at) WHERE match_at IS NOT NULL;

-- Message and signal start events of each version of a process. Only those of the newest version start instances.
CREATE TABLE start_subscriptions (
  definition_id uuid NOT NULL REFERENCES definitions ON DELETE CASCADE,
  node_id text NOT NULL,
  trigger integer NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('message', 'signal')),
  name text NOT NULL,
  channel text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  match_at timestamptz,
  -- Parallel multiple: an instance starts once all triggers of the node have arrived.
  together boolean NOT NULL DEFAULT false,
  PRIMARY KEY (definition_id, node_id, trigger)
);
CREATE INDEX start_subscriptions_by_channel ON start_subscriptions (channel, project_id, position);
CREATE INDEX start_subscriptions_due ON start_subscriptions (project_id, match_at) WHERE match_at IS NOT NULL;

-- Timer start events of each version of a process. Each wanted one is a schedule in Temporal; a worker updates Temporal
-- after the row. No foreign key: a row outlives its definition until Temporal has deleted the schedule.
CREATE TABLE start_timers (
  definition_id uuid NOT NULL,
  node_id text NOT NULL,
  trigger integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- An instant, or a repetition or cron expression that begins with the deployment.
  type text NOT NULL CHECK (type IN ('date', 'cycle')),
  timer text NOT NULL,
  deployed_at timestamptz NOT NULL,
  -- Whether the schedule should exist, since when (its earlier ticks are over), and how often that has changed.
  wanted boolean NOT NULL DEFAULT true,
  wanted_at timestamptz NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 0,
  -- When Temporal is updated; null if it is up to date.
  send_at timestamptz DEFAULT now(),
  -- Ticks that started nothing because the definition was suspended, or because the queue of its process was full.
  skipped_ticks integer NOT NULL DEFAULT 0,
  last_skipped_tick timestamptz,
  -- Ticks that an operator has skipped, ascending.
  skipped_by_hand timestamptz[] NOT NULL DEFAULT '{}',
  -- The latest tick that started an instance or was skipped. Its instance may have been removed since.
  last_tick timestamptz,
  PRIMARY KEY (definition_id, node_id, trigger)
);
CREATE INDEX start_timers_by_project ON start_timers (project_id);
CREATE INDEX start_timers_due ON start_timers (project_id, send_at) WHERE send_at IS NOT NULL;

-- Messages until they are taken, signals until their time to live ends.
CREATE TABLE publications (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  position bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('message', 'signal')),
  name text NOT NULL,
  channel text COLLATE "C" NOT NULL,
  -- The keys of all subscriptions that can match it.
  keys text[] NOT NULL,
  correlation json,
  variables json NOT NULL,
  -- Null if an instance published it.
  published_by text,
  published_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  match_at timestamptz,
  -- The instance that a message is being delivered to, with the subscription and the command.
  claimed_by text COLLATE "C",
  claimed_subscription integer,
  claimed_command integer,
  -- A signal was delivered to subscriptions up to this position.
  delivered_to bigint NOT NULL DEFAULT 0,
  -- Processes that a signal will start once their newest version is no longer suspended.
  deferred_for text[] NOT NULL DEFAULT '{}',
  -- The first instances that it started, and the number of instances that a signal has reached.
  started jsonb NOT NULL DEFAULT '[]',
  reached integer NOT NULL DEFAULT 0,
  -- W3C trace context of the request or step that published it, for the steps that it causes.
  trace_context json
);
CREATE INDEX publications_kept ON publications USING gin (keys) WITH (fastupdate = off) WHERE claimed_by IS NULL;
CREATE INDEX publications_claimed ON publications (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX publications_by_channel ON publications (channel, project_id, position) WHERE claimed_by IS NULL;
CREATE INDEX publications_by_project ON publications (project_id, expires_at) WHERE type = 'message';
CREATE INDEX publications_by_expiry ON publications (expires_at);
CREATE INDEX publications_by_position ON publications (project_id, position DESC);
CREATE INDEX publications_due ON publications (project_id, match_at) WHERE match_at IS NOT NULL;

-- Variables of signals that are too large for the command of every instance that receives them.
CREATE TABLE signal_payloads (
  publication_id uuid PRIMARY KEY,
  variables json NOT NULL
);

-- Instances that a stored signal has reached: it reaches each of them once.
CREATE TABLE signal_deliveries (
  publication_id uuid NOT NULL REFERENCES publications ON DELETE CASCADE,
  workflow_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (publication_id, workflow_id)
);

-- Publications that were taken, deleted, or have expired, without their variables, for a day. In their own table, so that
-- no match reads them.
CREATE TABLE ended_publications (
  id uuid PRIMARY KEY,
  position bigint NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  -- Null if there is none, or if it is large.
  correlation json,
  state text NOT NULL CHECK (state IN ('TAKEN', 'EXPIRED', 'DELETED')),
  published_by text,
  published_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  taken_by text COLLATE "C",
  taken_node text,
  started jsonb NOT NULL,
  reached integer NOT NULL
);
CREATE INDEX ended_publications_by_project ON ended_publications (project_id, position DESC);
CREATE INDEX ended_publications_by_age ON ended_publications (ended_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Suspension
-- ---------------------------------------------------------------------------------------------------------------------
-- Suspending a definition writes one row, however many instances it has. Whether an instance may continue is decided when
-- a step is committed, a job is leased, or a command arrives. For that, every instance knows the definitions of its
-- ancestors. Suspending an instance marks its descendants, as canceling it does. The rows of called instances repeat what
-- the rows of their parents say about all this.

-- Refused steps of instances that tried to continue while paused. The instances are notified on resume. An instance can
-- have several: a worker that was cut off tries its step again, late, and the instance knows only of the other refusal.
CREATE TABLE pause_waiters (
  -- Names the refusal.
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workflow_id text COLLATE "C" NOT NULL,
  -- The id of the suspended definition, or the workflow id of the suspended instance.
  blocked_by text COLLATE "C" NOT NULL,
  -- When the instance is notified (again); null as long as the suspension lasts.
  wake_at timestamptz
);
CREATE INDEX pause_waiters_by_instance ON pause_waiters (workflow_id);
CREATE INDEX pause_waiters_to_wake ON pause_waiters (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX pause_waiters_by_blocker ON pause_waiters (blocked_by);

-- Definitions and instances that were resumed, until all their waiters are notified.
CREATE TABLE resumptions (
  blocker text COLLATE "C" PRIMARY KEY,
  resumed_at timestamptz NOT NULL DEFAULT now()
);

-- Parents with children that may not follow them yet (ADR 180): more than one transaction changes. A worker continues.
CREATE TABLE parents_to_follow (
  workflow_id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  root_workflow_id text COLLATE "C" NOT NULL,
  depth integer NOT NULL,
  queued_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX parents_to_follow_by_project ON parents_to_follow (project_id, queued_at);
CREATE INDEX parents_to_follow_by_root ON parents_to_follow (root_workflow_id);

-- Running children whose rows do not repeat what the row of their parent says.
CREATE VIEW children_behind AS
  SELECT i.workflow_id, i.parent_workflow_id FROM instances i JOIN instances p ON p.workflow_id = i.parent_workflow_id
  WHERE i.status || '' = 'RUNNING' AND (p.canceling AND NOT i.canceling
    OR i.ancestor_suspended <> (p.suspended_at IS NOT NULL OR p.ancestor_suspended)
    OR i.ancestor_definitions <> p.ancestor_definitions || p.definition_id);

-- Lets descendants follow parents that the transaction has locked and changed, level by level from the top. After 500
-- of them, a worker continues. A child that is called meanwhile copies the row of its parent, which is locked then.
-- Rows are found by their parent or their key, however many others there are: each call makes its own plans, and
-- `status || ''` matches no index.
CREATE FUNCTION follow_parents(parents text[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  level text[] := parents;
  unfinished text[] := '{}';
  behind text[];
  room integer := 500;
BEGIN
  WHILE room > 0 AND cardinality(level) > 0 LOOP
    behind := ARRAY(
      SELECT c.workflow_id FROM unnest(level) AS parent(id) CROSS JOIN LATERAL (
        SELECT workflow_id FROM children_behind b WHERE b.parent_workflow_id = parent.id LIMIT room
      ) c LIMIT room
    );
    IF behind = '{}' THEN RETURN; END IF;
    PERFORM FROM instances WHERE workflow_id = ANY(behind) ORDER BY workflow_id FOR NO KEY UPDATE;
    -- The suspension that paused these instances may not apply to their new definitions.
    UPDATE pause_waiters w SET wake_at = now() FROM instances i JOIN instances p ON p.workflow_id = i.parent_workflow_id
    WHERE i.workflow_id = ANY(behind) AND w.workflow_id = i.workflow_id
      AND i.ancestor_definitions <> p.ancestor_definitions || p.definition_id;
    UPDATE instances i SET canceling = i.canceling OR p.canceling,
      ancestor_suspended = p.suspended_at IS NOT NULL OR p.ancestor_suspended,
      ancestor_definitions = p.ancestor_definitions || p.definition_id
    FROM instances p WHERE i.workflow_id = ANY(behind) AND i.status || '' = 'RUNNING' AND p.workflow_id = i.parent_workflow_id;
    -- As in store/work/withheld-jobs.ts.
    WITH now AS MATERIALIZED (
      SELECT workflow_id, suspended_at IS NOT NULL OR ancestor_suspended OR canceling AS withheld,
        ancestor_definitions || definition_id AS path
      FROM instances WHERE workflow_id = ANY(behind)
    )
    UPDATE jobs j SET withheld = now.withheld, definition_path = now.path FROM now
    WHERE j.workflow_id = now.workflow_id AND j.status || '' = 'PENDING'
      AND (j.withheld <> now.withheld OR j.definition_path <> now.path);
    room := room - cardinality(behind);
    IF room = 0 THEN
      unfinished := ARRAY(
        SELECT id FROM unnest(level) AS parent(id)
        WHERE (SELECT true FROM children_behind b WHERE b.parent_workflow_id = id LIMIT 1)
      );
    END IF;
    level := ARRAY(
      SELECT id FROM unnest(behind) AS parent(id)
      WHERE (SELECT true FROM instances i WHERE i.parent_workflow_id = id AND i.status || '' = 'RUNNING' LIMIT 1)
    );
  END LOOP;
  INSERT INTO parents_to_follow (workflow_id, project_id, root_workflow_id, depth)
  SELECT workflow_id, project_id, root_workflow_id, depth FROM instances WHERE workflow_id = ANY(unfinished || level)
  ON CONFLICT DO NOTHING;
END $$;

-- A migrated instance takes its open jobs and its descendants to the new definition.
CREATE FUNCTION follow_definition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The suspension that paused the instance may not apply to its new definition.
  UPDATE pause_waiters SET wake_at = now() WHERE workflow_id = NEW.workflow_id;
  UPDATE jobs SET definition_path = NEW.ancestor_definitions || NEW.definition_id
  WHERE workflow_id = NEW.workflow_id AND status = 'PENDING';
  PERFORM follow_parents(ARRAY[NEW.workflow_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER instances_follow_definition AFTER UPDATE OF definition_id ON instances
  FOR EACH ROW WHEN (OLD.definition_id <> NEW.definition_id) EXECUTE FUNCTION follow_definition();

-- ---------------------------------------------------------------------------------------------------------------------
-- Decisions
-- ---------------------------------------------------------------------------------------------------------------------

-- One version of one DMN file. Its content can change until it is first evaluated.
CREATE TABLE decision_definitions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- The id of the file's `definitions` element, which its versions have in common.
  definitions_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  name text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  xml text NOT NULL,
  -- The files that it imported when it was compiled: a list of texts.
  imported json NOT NULL,
  -- The compiled model, with what it imports, as JSON text.
  model text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz,
  -- Time of the first evaluation, after which the version is immutable.
  used_at timestamptz,
  UNIQUE (project_id, definitions_id, version)
);
CREATE INDEX decision_definitions_by_project ON decision_definitions (project_id, number DESC);
CREATE INDEX decision_definitions_by_namespace ON decision_definitions (project_id, namespace, number DESC);

-- The decisions in each DMN file.
CREATE TABLE decisions (
  definition_id uuid NOT NULL REFERENCES decision_definitions ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL,
  decision_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  version_tag text COLLATE "C",
  input_fields json NOT NULL,
  PRIMARY KEY (definition_id, decision_id)
);
CREATE INDEX decisions_by_id ON decisions (project_id, decision_id);

-- Evaluations that clients requested.
CREATE TABLE decision_executions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  definition_id uuid NOT NULL REFERENCES decision_definitions,
  definitions_id text COLLATE "C" NOT NULL,
  business_id text,
  executed_at timestamptz NOT NULL DEFAULT now(),
  executed_by text,
  inputs json NOT NULL,
  outputs json NOT NULL
);
CREATE INDEX decision_executions_by_project ON decision_executions (project_id, number DESC);
CREATE INDEX decision_executions_by_definition ON decision_executions (definition_id, number DESC);
CREATE INDEX decision_executions_by_definitions_id ON decision_executions (project_id, definitions_id, number DESC);
CREATE INDEX decision_executions_by_business_id ON decision_executions (project_id, business_id, number DESC)
  WHERE business_id IS NOT NULL;
CREATE INDEX decision_executions_by_age ON decision_executions (project_id, executed_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Batches
-- ---------------------------------------------------------------------------------------------------------------------

-- The same operation on up to 100,000 instances or incidents, which are chosen when the batch is accepted.
CREATE TABLE batches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  operation text NOT NULL
    CHECK (operation IN ('CANCEL', 'RESOLVE', 'SET_VARIABLES', 'MIGRATE', 'SUSPEND', 'RESUME', 'MODIFY', 'DELETE', 'FIRE_TIMERS')),
  -- As requested; null if the items were named.
  filter json,
  -- Input of each single operation. Deleted with the last outcome, because it contains values.
  input json,
  -- The input without values, as the API shows it.
  shown json NOT NULL,
  -- For MIGRATE: the version to migrate from.
  source_definition_id uuid,
  reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  items_per_second integer NOT NULL,
  total integer NOT NULL,
  status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'PAUSED', 'COMPLETED', 'CANCELED')),
  -- Time of the last outcome, also of a canceled batch.
  completed_at timestamptz,
  -- Items by status, counted on completion.
  counts json,
  -- Identifies the lease of the runner that works on the batch. A runner without it begins no item.
  lease uuid,
  -- When the batch can be leased (again). A runner that died loses its lease then.
  due_at timestamptz NOT NULL DEFAULT now(),
  -- Time up to which `items_per_second` is used up by the items begun so far.
  paced_until timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX batches_by_project ON batches (project_id, number DESC);
CREATE INDEX batches_due ON batches (project_id, due_at) WHERE completed_at IS NULL;
CREATE INDEX batches_completed ON batches (project_id, completed_at) WHERE completed_at IS NOT NULL;

-- The instances or incidents of a batch in order, with the outcome of each.
CREATE TABLE batch_items (
  batch_id uuid NOT NULL REFERENCES batches ON DELETE CASCADE,
  position integer NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  -- The incident to resolve, or the new one if its retry failed again.
  incident integer,
  status text NOT NULL DEFAULT 'PENDING'
    CHECK (status IN ('PENDING', 'APPLIED', 'FAILED_AGAIN', 'REJECTED', 'SKIPPED', 'CANCELED')),
  code text,
  message text,
  issues json,
  -- Set in the transaction of the single operation, so that an item is begun at most once.
  begun_at timestamptz,
  -- The command of the instance, if the operation is one.
  command_number integer,
  processed_at timestamptz,
  PRIMARY KEY (batch_id, position)
);
CREATE INDEX batch_items_to_begin ON batch_items (batch_id, position) WHERE status = 'PENDING' AND begun_at IS NULL;
CREATE INDEX batch_items_begun ON batch_items (batch_id) WHERE status = 'PENDING' AND begun_at IS NOT NULL;
CREATE INDEX batch_items_by_status ON batch_items (batch_id, status, position);

-- ---------------------------------------------------------------------------------------------------------------------
-- Backtests
-- ---------------------------------------------------------------------------------------------------------------------

-- A version of a process against instances that have ended, which are chosen when the backtest is accepted.
CREATE TABLE backtests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  process_id text COLLATE "C" NOT NULL,
  -- The version, or the file of a draft. Either may have been deleted since.
  definition_id uuid,
  resource_id uuid,
  -- The version as of the acceptance, kept as long as the report, in which any instance can be compared again. Null without
  -- instances.
  graph text,
  graph_sha256 text COLLATE "C" NOT NULL,
  -- What `bindingType="deployment"` means in it: the bundle of the version, or the time at which it was deployed.
  deployment_id uuid,
  deployed_at timestamptz NOT NULL DEFAULT now(),
  reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  total integer NOT NULL,
  status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'COMPLETED', 'CANCELED')),
  completed_at timestamptz,
  -- Items by outcome, written with the items.
  same integer NOT NULL DEFAULT 0,
  other_path integer NOT NULL DEFAULT 0,
  other_result integer NOT NULL DEFAULT 0,
  incident integer NOT NULL DEFAULT 0,
  unanswered integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  -- How often each sequence flow was taken before and after, by id.
  flows json NOT NULL DEFAULT '{}',
  -- Identifies the lease of the runner that compares its instances. A runner without it writes nothing.
  lease uuid,
  -- When the backtest can be leased (again). A runner that died loses its lease then.
  due_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX backtests_by_project ON backtests (project_id, number DESC);
CREATE INDEX backtests_due ON backtests (project_id, due_at) WHERE completed_at IS NULL;
CREATE INDEX backtests_completed ON backtests (project_id, completed_at) WHERE completed_at IS NOT NULL;

-- The instances of a backtest, newest first. Without an outcome until they are compared.
CREATE TABLE backtest_items (
  backtest_id uuid NOT NULL REFERENCES backtests ON DELETE CASCADE,
  position integer NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  outcome text CHECK (outcome IN ('SAME', 'OTHER_PATH', 'OTHER_RESULT', 'INCIDENT', 'UNANSWERED', 'SKIPPED')),
  -- Where the first difference is.
  node_id text COLLATE "C",
  occurrence integer,
  expected json,
  found json,
  -- Names of variables.
  variables json,
  duration_ms bigint,
  duration_before_ms bigint,
  reason text,
  PRIMARY KEY (backtest_id, position)
);
-- For one instance of a backtest.
CREATE UNIQUE INDEX backtest_items_of_instance ON backtest_items (backtest_id, workflow_id);
CREATE INDEX backtest_items_to_compare ON backtest_items (backtest_id, position) WHERE outcome IS NULL;
CREATE INDEX backtest_items_by_outcome ON backtest_items (backtest_id, outcome, position) WHERE outcome IS NOT NULL;
CREATE INDEX backtest_items_by_node ON backtest_items (backtest_id, node_id, position) WHERE node_id IS NOT NULL;

-- Items that differ by the same cause, written with the items.
CREATE TABLE backtest_groups (
  backtest_id uuid NOT NULL REFERENCES backtests ON DELETE CASCADE,
  -- The digest of the three columns behind it, because reasons are longer than an index allows.
  cause text COLLATE "C" NOT NULL,
  outcome text NOT NULL,
  node_id text COLLATE "C",
  reason text NOT NULL,
  count integer NOT NULL,
  -- Workflow ids of the first of them.
  examples text[] NOT NULL,
  -- Distributions; see store/statistics/sketch.ts.
  durations bytea NOT NULL,
  durations_before bytea NOT NULL,
  PRIMARY KEY (backtest_id, cause)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Audit log
-- ---------------------------------------------------------------------------------------------------------------------

-- One row per change that a request made, written in the transaction of the change. Timelines are read from it. Rows
-- outlive the instances that they name, and their project; only retention removes them.
CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Tokens can name a project that has no row yet.
  project_id text COLLATE "C" NOT NULL,
  -- Not the begin of the transaction: a suspension may wait for instances that start.
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  actor_type text NOT NULL,
  via text NOT NULL,
  operation text NOT NULL,
  outcome text NOT NULL,
  code text,
  workflow_id text COLLATE "C",
  definition_id text COLLATE "C",
  execution_key text COLLATE "C",
  batch_id text COLLATE "C",
  -- The command whose outcome becomes that of the entry.
  command_number integer,
  -- Request id, reason, names of variables or settings, and ids that no filter uses.
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_entries_of_project ON audit_entries (project_id, id DESC);
-- The project comes second, because the log of the organization is filtered without one.
CREATE INDEX audit_entries_of_actor ON audit_entries (actor, project_id, id DESC);
CREATE INDEX audit_entries_of_operation ON audit_entries (operation, project_id, id DESC);
-- For the timelines of the instance, and of its definition.
CREATE INDEX audit_entries_of_instance ON audit_entries (workflow_id, recorded_at, id) WHERE workflow_id IS NOT NULL;
CREATE INDEX audit_entries_of_suspensions ON audit_entries (definition_id, recorded_at)
  WHERE operation IN ('SuspendBpmnDefinition', 'ResumeBpmnDefinition');
CREATE UNIQUE INDEX audit_entries_pending ON audit_entries (workflow_id, command_number)
  WHERE outcome = 'PENDING' AND command_number IS NOT NULL;
CREATE INDEX audit_entries_of_batch ON audit_entries (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX audit_entries_of_execution ON audit_entries (execution_key, project_id, id DESC) WHERE execution_key IS NOT NULL;
CREATE INDEX audit_entries_of_project_by_time ON audit_entries (project_id, recorded_at);
CREATE INDEX audit_entries_by_time ON audit_entries USING brin (recorded_at);

-- Entries of which no line of the log of the host is written yet, or not with their outcome. Not a position of a reader: ids
-- are taken before the commit, so a lower one can become visible later. Numbers are never used again, so the outcome of an
-- entry is not lost when a worker deletes a row that it has read before.
CREATE TABLE audit_entries_to_log (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entry_id bigint NOT NULL
);

CREATE FUNCTION log_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries_to_log (entry_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER log_new_entry AFTER INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION log_audit_entry();
CREATE TRIGGER log_outcome AFTER UPDATE OF outcome ON audit_entries FOR EACH ROW
  WHEN (OLD.outcome <> NEW.outcome) EXECUTE FUNCTION log_audit_entry();

-- What the audit log of a project has to outlive: longer settings, and a deleted project with the same id.
CREATE TABLE audit_logs (
  project_id text COLLATE "C" PRIMARY KEY,
  -- Entries recorded before are kept as long as the longest setting that was shortened. The default of the host, which
  -- only workers know, counts as one.
  shortened_at timestamptz NOT NULL DEFAULT '-infinity',
  former_retention_ms bigint,
  formerly_default boolean NOT NULL DEFAULT false,
  -- Entries up to this one are of a deleted project: only the log of the organization has them.
  deleted_through bigint NOT NULL DEFAULT 0
);

CREATE FUNCTION keep_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_logs AS l (project_id, shortened_at, former_retention_ms, formerly_default, deleted_through)
  VALUES (OLD.id, clock_timestamp(), OLD.audit_retention_ms, OLD.audit_retention_ms IS NULL,
    CASE WHEN TG_OP = 'DELETE' THEN coalesce((SELECT max(id) FROM audit_entries), 0) ELSE 0 END)
  ON CONFLICT (project_id) DO UPDATE SET shortened_at = excluded.shortened_at,
    former_retention_ms = greatest(l.former_retention_ms, excluded.former_retention_ms),
    formerly_default = l.formerly_default OR excluded.formerly_default,
    deleted_through = greatest(l.deleted_through, excluded.deleted_through);
  RETURN NULL;
END $$;
CREATE TRIGGER keep_audit_entries AFTER UPDATE OF audit_retention_ms ON projects FOR EACH ROW
  WHEN (OLD.audit_retention_ms IS DISTINCT FROM NEW.audit_retention_ms
    AND coalesce(NEW.audit_retention_ms < OLD.audit_retention_ms, true))
  EXECUTE FUNCTION keep_audit_entries();
-- At the end of the transaction, which writes the entry of the deletion after the deletion.
CREATE CONSTRAINT TRIGGER keep_audit_entries_of_deleted AFTER DELETE ON projects DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (strpos(OLD.id, '~') = 0) EXECUTE FUNCTION keep_audit_entries();

-- An operation on a test of a draft is recorded in the project that the test belongs to.
CREATE FUNCTION audit_command() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (project_id, actor, actor_type, via, operation, outcome, workflow_id, definition_id,
    execution_key, batch_id, command_number, details)
  SELECT split_part(i.project_id, '~', 1), NEW.audit ->> 'actor', NEW.audit ->> 'actorType', NEW.audit ->> 'via',
    NEW.audit ->> 'operation', 'PENDING', i.workflow_id, i.definition_id::text, NEW.audit ->> 'executionKey',
    NEW.audit ->> 'batchID', NEW.number, NEW.audit -> 'details'
  FROM instances i WHERE i.workflow_id = NEW.workflow_id;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_command AFTER INSERT ON commands FOR EACH ROW
  WHEN (NEW.audit IS NOT NULL) EXECUTE FUNCTION audit_command();

CREATE FUNCTION audit_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The last condition lets the statement use the index of pending entries.
  UPDATE audit_entries SET outcome = NEW.status, code = NEW.code
  WHERE workflow_id = NEW.workflow_id AND command_number = NEW.number AND outcome = 'PENDING'
    AND command_number IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_outcome AFTER UPDATE OF status ON commands FOR EACH ROW
  WHEN (NEW.audit IS NOT NULL AND OLD.status = 'PENDING' AND NEW.status <> 'PENDING') EXECUTE FUNCTION audit_outcome();

-- ---------------------------------------------------------------------------------------------------------------------
-- Events, their delivery, and hooks
-- ---------------------------------------------------------------------------------------------------------------------

-- Events of projects with an event feed, each written in the transaction of its change. The position is assigned after
-- the commit, in the order of the numbers, so no event can appear before a position that was already read.
CREATE TABLE events (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  position bigint,
  -- No foreign key: it would lock the project against deployments.
  project_id text COLLATE "C" NOT NULL,
  -- Without the prefix `perdure.`.
  type text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  -- Null for events of definitions and batches.
  workflow_id text COLLATE "C",
  process_id text COLLATE "C",
  happened_at timestamptz NOT NULL DEFAULT now(),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  data jsonb NOT NULL
);
CREATE UNIQUE INDEX events_by_position ON events (project_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_without_position ON events (number) WHERE position IS NULL;
CREATE INDEX events_of_instance ON events (workflow_id) WHERE workflow_id IS NOT NULL;

-- A feed begins when the retention is set. Earlier and removed events cannot be followed.
CREATE TABLE event_feeds (
  project_id text COLLATE "C" PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  -- The last position that was removed, or the position at which the feed began.
  expired_through bigint NOT NULL
);

CREATE SEQUENCE event_positions AS bigint;

CREATE FUNCTION begin_event_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_feeds (project_id, expired_through) VALUES (NEW.id, nextval('event_positions'))
  ON CONFLICT (project_id) DO UPDATE SET expired_through = excluded.expired_through;
  RETURN NULL;
END $$;
CREATE TRIGGER begin_event_feed AFTER UPDATE OF event_retention_ms ON projects FOR EACH ROW
  WHEN (OLD.event_retention_ms IS NULL AND NEW.event_retention_ms IS NOT NULL) EXECUTE FUNCTION begin_event_feed();

-- Receivers of the events of a project.
CREATE TABLE event_subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  -- The name of the signing secret.
  secret text COLLATE "C" NOT NULL,
  -- Without the prefix `perdure.`.
  types text[] COLLATE "C" NOT NULL,
  process_ids text[] COLLATE "C",
  enabled boolean NOT NULL DEFAULT true,
  -- Events up to here are delivered or have a row in event_deliveries.
  position bigint NOT NULL,
  failing_since timestamptz,
  last_error text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Identifies the lease of the connector that is delivering; null without one.
  lease uuid,
  -- When the subscription can be leased (again).
  due_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX event_subscriptions_of_project ON event_subscriptions (project_id, created_at);
CREATE INDEX event_subscriptions_due ON event_subscriptions (due_at) WHERE enabled;

-- Events that are being delivered, and dead letters. Delivered events have no row.
CREATE TABLE event_deliveries (
  subscription_id uuid NOT NULL REFERENCES event_subscriptions ON DELETE CASCADE,
  position bigint NOT NULL,
  -- Events with the same key are delivered in order.
  order_key text COLLATE "C" NOT NULL,
  -- Null for events of definitions and batches.
  workflow_id text COLLATE "C",
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  queued_at timestamptz NOT NULL DEFAULT now(),
  -- Null for a dead letter, and while an earlier event with the same key is being delivered.
  due_at timestamptz,
  dead_at timestamptz,
  PRIMARY KEY (subscription_id, position)
);
CREATE INDEX event_deliveries_due ON event_deliveries (subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX event_deliveries_in_order ON event_deliveries (subscription_id, order_key, position) WHERE dead_at IS NULL;
CREATE INDEX event_deliveries_dead ON event_deliveries (subscription_id, dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX event_deliveries_of_instance ON event_deliveries (workflow_id) WHERE workflow_id IS NOT NULL;

-- Addresses to which other systems send messages.
CREATE TABLE hooks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  -- How deliveries are authenticated; the secret is referred to by name.
  auth json NOT NULL,
  message_name text NOT NULL,
  correlation_keys text,
  variables text,
  idempotency_key text,
  -- A duration or an instant, as it was given.
  ttl text,
  enabled boolean NOT NULL,
  -- Increases with every change, so that no process acts on an outdated cached hook.
  revision integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_by text,
  updated_at timestamptz
);
CREATE INDEX hooks_of_project ON hooks (project_id, created_at, id);

-- Deliveries of authenticated senders in the last days.
CREATE TABLE hook_deliveries (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL,
  -- No foreign key: deleting a hook would delete any number of rows. Cleanup deletes them in parts.
  hook_id uuid NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('PUBLISHED', 'IGNORED', 'REPEATED', 'FAILED')),
  publication_id uuid,
  problem text,
  -- Kept only if the delivery failed.
  body text,
  -- The rest of it, for another delivery. Null unless "body" is all of it.
  request json,
  redeliveries integer NOT NULL DEFAULT 0
);
CREATE INDEX hook_deliveries_of_hook ON hook_deliveries (hook_id, number);
CREATE INDEX hook_deliveries_with_body ON hook_deliveries (hook_id, number) WHERE body IS NOT NULL;
CREATE INDEX hook_deliveries_by_time ON hook_deliveries (received_at);
CREATE INDEX hook_deliveries_of_project ON hook_deliveries (project_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Statistics and duration targets
-- ---------------------------------------------------------------------------------------------------------------------

-- Instances whose newest steps may be missing from the statistics. Each step commit adds a row. Without an index: the fold
-- reads and deletes all rows, in any order.
CREATE TABLE steps_to_fold (
  workflow_id text COLLATE "C" NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- How much of each instance the statistics include: the last folded step, and what is open after it.
CREATE TABLE folded_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  steps integer NOT NULL,
  state json NOT NULL
) WITH (fillfactor = 80);

-- Sums by hour and by day in UTC. They outlive the instances. An empty node_id means the instance as a whole. Durations
-- are sketches; see store/statistics/sketch.ts.
CREATE TABLE statistics (
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL CHECK (unit IN ('hour', 'day')),
  time timestamptz NOT NULL,
  version integer NOT NULL,
  started bigint NOT NULL DEFAULT 0,
  completed bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  canceled bigint NOT NULL DEFAULT 0,
  incidents bigint NOT NULL DEFAULT 0,
  durations bytea,
  waiting bytea,
  working bytea,
  PRIMARY KEY (project_id, process_id, unit, "time", node_id, version)
) WITH (fillfactor = 80);
CREATE INDEX statistics_of_project ON statistics (project_id, time) WHERE unit = 'hour';
CREATE INDEX statistics_of_instances ON statistics (project_id, process_id, unit, time) WHERE node_id = '';

-- One row.
CREATE TABLE statistics_progress (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- Every step that was committed before this time is in the statistics.
  as_of timestamptz NOT NULL,
  -- When the first fold began.
  begun_at timestamptz NOT NULL DEFAULT now(),
  -- The periodic check for missing steps has reached this instance; empty between two checks.
  checked_through text COLLATE "C" NOT NULL DEFAULT '',
  checked_at timestamptz NOT NULL DEFAULT 'epoch'
);
INSERT INTO statistics_progress (as_of) VALUES ('epoch');

-- Duration targets of instances and of activations of a node. An empty node_id means the instance as a whole. An instance
-- or activation that began between `since` and `until` keeps the target of that time.
CREATE TABLE targets (
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz,
  duration_ms bigint NOT NULL CHECK (duration_ms > 0),
  PRIMARY KEY (project_id, process_id, node_id, since)
);

-- Open instances and activations with a target, found by the fold of the statistics. Element 1 is the instance.
CREATE TABLE target_dues (
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  due_at timestamptz NOT NULL,
  duration_ms bigint NOT NULL,
  missed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workflow_id, element)
);
CREATE INDEX target_dues_to_miss ON target_dues (due_at) WHERE NOT missed;

-- Instances and activations that missed their target.
CREATE TABLE target_misses (
  number bigint GENERATED ALWAYS AS IDENTITY,
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  duration_ms bigint NOT NULL,
  due_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workflow_id, element)
);

-- Met: by the hour of completion. Missed: by the hour in which it was due.
CREATE TABLE target_counts (
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  duration_ms bigint NOT NULL,
  hour timestamptz NOT NULL,
  version integer NOT NULL,
  met bigint NOT NULL DEFAULT 0,
  missed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, process_id, hour, node_id, duration_ms, version)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Retention, erasure, and redaction
-- ---------------------------------------------------------------------------------------------------------------------

-- Instances whose row is deleted and whose other rows are being deleted. The instance is deleted first, so that it is never
-- visible with a part of its history missing.
CREATE TABLE removed_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  removed_at timestamptz NOT NULL DEFAULT now()
);

-- Instances without any rows, for 30 days: a workflow that asks for the result of its last step commit ends.
CREATE TABLE gone_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  gone_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX gone_instances_by_age ON gone_instances (gone_at);

-- Erased instances whose workflows Temporal may still have. Written in the transaction that removes the instance.
CREATE TABLE erased_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now(),
  -- When a worker looks for its workflows (again).
  due_at timestamptz NOT NULL DEFAULT now()
);
-- By project, so that workers serve all projects.
CREATE INDEX erased_instances_due ON erased_instances (project_id, due_at);

-- Instances whose stored values are still to be overwritten. Written in the transaction that accepts the redaction.
CREATE TABLE redacting_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  root_workflow_id text COLLATE "C" NOT NULL,
  -- Later after an attempt that failed, so that instances behind it get their turn.
  due_at timestamptz NOT NULL DEFAULT now(),
  -- The kind of rows that are overwritten next, and the number of the last one that is done.
  part text NOT NULL,
  done integer NOT NULL DEFAULT 0
);
CREATE INDEX redacting_instances_by_root ON redacting_instances (root_workflow_id);
CREATE INDEX redacting_instances_due ON redacting_instances (due_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Requests
-- ---------------------------------------------------------------------------------------------------------------------

-- First responses to requests with an Idempotency-Key.
CREATE TABLE idempotency_keys (
  project_id text COLLATE "C" NOT NULL,
  operation_id text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  status integer,
  body json,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, operation_id, subject, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Signs the cursors of searches; all APIs of a host use the same key. One row.
CREATE TABLE search_cursor_key (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
