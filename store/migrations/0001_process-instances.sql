-- Up Migration

-- Projects, deployed definitions, running instances, their work and what is on its way to them.
--
-- Order of row locks, for everyone: a project, its resources, an instance, the instances it called (by depth), the rows
-- that hang from them, definitions. Two transactions that keep it cannot wait for each other. Where many rows are
-- taken at once out of order (jobs by a poll, commands by the dispatcher), locked ones are skipped.

-- What users put in is kept as `json`, not `jsonb`: it comes back as it was written, costs no conversion on the hot
-- path, and text that `jsonb` refuses cannot stop an instance.

CREATE TABLE projects (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz
);

-- A BPMN file: a draft until it is deployed, never changed after.
CREATE TABLE resources (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects,
  name text NOT NULL,
  xml text NOT NULL,
  -- The id of the file's own `definitions` element: what its revisions have in common.
  definitions_id text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz,
  deployed_by text,
  deployed_at timestamptz
);
CREATE INDEX resources_by_project ON resources (project_id, created_at DESC);
CREATE INDEX resources_by_definitions_id ON resources (project_id, definitions_id, created_at DESC);

-- Compiled graphs by their content. A running instance needs its graph for as long as it can be replayed.
CREATE TABLE graphs (
  sha256 text COLLATE "C" PRIMARY KEY,
  graph text NOT NULL
);

-- One deployed version of one process.
CREATE TABLE definitions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects,
  resource_id uuid NOT NULL REFERENCES resources,
  process_id text COLLATE "C" NOT NULL,
  process_name text,
  version integer NOT NULL,
  version_tag text,
  graph_sha256 text COLLATE "C" NOT NULL REFERENCES graphs,
  created_at timestamptz NOT NULL DEFAULT now(),
  suspended_at timestamptz,
  suspended_by text,
  suspend_reason text,
  UNIQUE (project_id, process_id, version)
);
CREATE INDEX definitions_by_resource ON definitions (resource_id);

-- Its counters change with every park and stand in no index, so that most parks stay heap-only updates.
CREATE TABLE instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  -- Never changes: lists and searches go by it, newest first.
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  parent_workflow_id text COLLATE "C",
  -- The wait of the calling instance that the end of this one answers; null when nothing waits for it (any more).
  parent_wait integer,
  root_workflow_id text COLLATE "C" NOT NULL,
  -- Call activities above it.
  depth integer NOT NULL DEFAULT 0,
  business_id text,
  status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')),
  failure_reason text,
  started_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  -- The process's own variables, as they were when it last parked.
  variables json NOT NULL,
  captured_at timestamptz NOT NULL DEFAULT now(),
  -- Its own and those of every instance below it.
  open_incidents integer NOT NULL DEFAULT 0,
  -- It or an instance above it is being canceled: nothing of it is handed out or accepted any more.
  canceling boolean NOT NULL DEFAULT false,
  suspended_at timestamptz,
  suspended_by text,
  suspend_reason text,
  command_count integer NOT NULL DEFAULT 0,
  park_count integer NOT NULL DEFAULT 0,
  fact_count integer NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX instances_by_project ON instances (project_id, number DESC);
CREATE INDEX instances_by_definition ON instances (definition_id, number DESC);
CREATE INDEX instances_by_creation ON instances (project_id, created_at DESC);
CREATE INDEX instances_by_business_id ON instances (project_id, business_id, number DESC) WHERE business_id IS NOT NULL;
CREATE INDEX instances_by_parent ON instances (parent_workflow_id) WHERE parent_workflow_id IS NOT NULL;
CREATE INDEX instances_running ON instances (project_id, definition_id, number DESC) WHERE status = 'RUNNING';
CREATE INDEX instances_running_by_number ON instances (number) WHERE status = 'RUNNING';
CREATE INDEX instances_failed_or_canceled ON instances (project_id, status, number DESC) WHERE status IN ('FAILED', 'CANCELED');
CREATE INDEX instances_with_incident ON instances (project_id, number DESC) WHERE open_incidents > 0;
CREATE INDEX instances_suspended ON instances (project_id, number DESC) WHERE suspended_at IS NOT NULL;

-- Instances that have not parked yet. The first park takes the row away.
CREATE TABLE instance_starts (
  workflow_id text COLLATE "C" PRIMARY KEY,
  -- How it begins, but for its variables: those are the instance's own.
  input json NOT NULL,
  -- When the dispatcher hands it to Temporal (again).
  deliver_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX instance_starts_to_deliver ON instance_starts (deliver_at);

-- One row per park: the inputs of the step and what happened in it.
CREATE TABLE parks (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  -- Facts of the instance before this park.
  facts_before integer NOT NULL,
  fact_count integer NOT NULL,
  -- What the step depended on besides the state before it: what it is repeated with.
  inputs json NOT NULL,
  facts json NOT NULL,
  -- The state after the park, now and then.
  snapshot json,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX parks_with_snapshot ON parks (workflow_id, number DESC) WHERE snapshot IS NOT NULL;

CREATE TABLE commands (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  body json NOT NULL,
  actor text,
  reason text,
  -- Somebody waits for the outcome and is to be told.
  awaited boolean NOT NULL,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'APPLIED', 'REJECTED')),
  code text,
  message text,
  created_at timestamptz NOT NULL DEFAULT now(),
  applied_at timestamptz,
  -- When the dispatcher signals it (again).
  deliver_at timestamptz NOT NULL,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX commands_to_deliver ON commands (deliver_at) WHERE status = 'PENDING';

CREATE TABLE jobs (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED', 'CANCELED')),
  -- Attempts left, the present one included.
  retries integer NOT NULL,
  headers json,
  local_variables json,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  -- When it can be handed out: at once, when its lease ends, when its backoff ends, or never because its end is
  -- already on the way.
  available_at timestamptz NOT NULL,
  locked_by text,
  lock_expires_at timestamptz,
  error_code text,
  error_message text,
  cancel_reason text,
  -- The command that ends it, who sent it, and a hash of what it said: what a repetition is compared with.
  ending_command integer,
  ended_by_client text,
  ending_sha256 text,
  PRIMARY KEY (workflow_id, number)
) WITH (fillfactor = 80);
CREATE INDEX jobs_available ON jobs (project_id, task_type, available_at) WHERE status = 'PENDING';
CREATE INDEX jobs_by_project ON jobs (project_id, created_at DESC);
CREATE INDEX jobs_by_task_type ON jobs (project_id, task_type, created_at DESC);
CREATE INDEX jobs_failed_or_canceled ON jobs (project_id, status, created_at DESC) WHERE status IN ('FAILED', 'CANCELED');

-- Clients that asked for jobs, to show who works.
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
  assignee text COLLATE "C",
  candidate_users text[] NOT NULL,
  candidate_groups text[] NOT NULL,
  form_key text,
  form_id text,
  headers json,
  local_variables json,
  completion_variables json,
  error_code text,
  cancel_reason text,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  ending_command integer,
  PRIMARY KEY (workflow_id, number)
) WITH (fillfactor = 80);
CREATE INDEX user_tasks_by_project ON user_tasks (project_id, created_at DESC);
CREATE INDEX user_tasks_open ON user_tasks (project_id, created_at DESC) WHERE status = 'CREATED';
CREATE INDEX user_tasks_by_assignee ON user_tasks (project_id, assignee, created_at DESC) WHERE assignee IS NOT NULL;
CREATE INDEX user_tasks_by_candidate_user ON user_tasks USING gin (candidate_users) WHERE candidate_users <> '{}';
CREATE INDEX user_tasks_by_candidate_group ON user_tasks USING gin (candidate_groups) WHERE candidate_groups <> '{}';

CREATE TABLE incidents (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  -- WITHDRAWN: its element ended, so nothing was left to resolve.
  status text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'RESOLVED', 'WITHDRAWN')),
  error_type text NOT NULL,
  error_code text,
  message text NOT NULL,
  previous integer,
  raised_at timestamptz NOT NULL,
  ended_at timestamptz,
  resolved_by text,
  ending_command integer,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX incidents_by_project ON incidents (project_id, raised_at DESC);
CREATE INDEX incidents_open ON incidents (project_id, raised_at DESC) WHERE status = 'OPEN';
CREATE INDEX incidents_by_definition ON incidents (definition_id, raised_at DESC);
CREATE INDEX incidents_by_error_type ON incidents (project_id, error_type, raised_at DESC);

-- First answers of requests that carried an Idempotency-Key.
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
