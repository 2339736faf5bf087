-- Up Migration

-- One version of one DMN file. Its content changes only until somebody has used it.
CREATE TABLE decision_definitions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- In the order in which they came: the newest is the latest.
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- The id of the file's own `definitions` element: what its versions have in common.
  definitions_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  name text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  xml text NOT NULL,
  -- The files it imported when it was compiled: a list of texts.
  imported json NOT NULL,
  -- The compiled model, with what it imports, as JSON text.
  model text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz,
  -- Set by the first evaluation: then content and version stay as they are.
  used_at timestamptz,
  UNIQUE (project_id, definitions_id, version)
);
CREATE INDEX decision_definitions_by_project ON decision_definitions (project_id, number DESC);
CREATE INDEX decision_definitions_by_namespace ON decision_definitions (project_id, namespace, number DESC);

-- The decisions of each file.
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

-- Evaluations asked for by callers.
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
CREATE INDEX decision_executions_by_business_id ON decision_executions (project_id, business_id, number DESC) WHERE (business_id IS NOT NULL);
