-- Up Migration

-- Bundles: several files deployed in one transaction.
CREATE TABLE deployments (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text,
  reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- What became of each file, as the API reports it, without warnings.
  files json NOT NULL
);
CREATE INDEX deployments_by_project ON deployments (project_id, number DESC);

-- What `bindingType="deployment"` means for the processes of a bundle: every process, decision, and form in it, with
-- the version that was current after the deployment, unchanged ones included.
CREATE TABLE deployment_items (
  deployment_id uuid NOT NULL REFERENCES deployments ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('PROCESS', 'DECISION', 'FORM')),
  key text COLLATE "C" NOT NULL,
  -- A row of definitions, decision_definitions, or forms.
  id uuid NOT NULL,
  PRIMARY KEY (deployment_id, kind, key)
);

-- One version of one form. Never changed.
CREATE TABLE forms (
  id uuid PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  form_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  version_tag text COLLATE "C",
  deployment_id uuid NOT NULL REFERENCES deployments ON DELETE CASCADE,
  -- The file, form-js JSON.
  schema json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, form_id, version)
);

ALTER TABLE definitions
  -- The bundle that made this version; null if it was deployed by itself.
  ADD COLUMN deployment_id uuid REFERENCES deployments,
  -- Its start form and the forms embedded in its file; null without either.
  ADD COLUMN forms json;

ALTER TABLE user_tasks
  -- How its form is bound; null means the latest version.
  ADD COLUMN form_binding json,
  -- The form version that was fixed for it (forms.id).
  ADD COLUMN form_version_id uuid,
  -- The version of the process that embeds its form. A migrated instance keeps it.
  ADD COLUMN form_definition_id uuid;

ALTER TABLE projects ADD COLUMN validate_forms boolean NOT NULL DEFAULT false;
