-- Up Migration

-- One row per change that a request made, written in the transaction of the change. Rows outlive the instances that they
-- name, and are removed with their project or by retention only.
CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Tokens can name a project that has no row yet.
  project_id text COLLATE "C" NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
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
  -- The command of the instance whose outcome the entry takes over.
  command_number integer,
  -- Request id, reason, names of variables or settings, and ids that no filter uses.
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_entries_of_project ON audit_entries (project_id, id DESC);
CREATE INDEX audit_entries_of_actor ON audit_entries (project_id, actor, id DESC);
CREATE INDEX audit_entries_of_operation ON audit_entries (project_id, operation, id DESC);
CREATE INDEX audit_entries_of_instance ON audit_entries (workflow_id, id DESC) WHERE workflow_id IS NOT NULL;
CREATE UNIQUE INDEX audit_entries_pending ON audit_entries (workflow_id, command_number) WHERE outcome = 'PENDING' AND command_number IS NOT NULL;
CREATE INDEX audit_entries_of_batch ON audit_entries (batch_id) WHERE batch_id IS NOT NULL;

ALTER TABLE projects ADD COLUMN audit_retention_ms bigint;

-- What the entry of a command is to say; null for commands that get none. Each statement that inserts a command or
-- writes its outcome does so with its entry.
ALTER TABLE commands ADD COLUMN audit jsonb;

CREATE FUNCTION audit_command() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (project_id, actor, actor_type, via, operation, outcome, workflow_id, definition_id, execution_key, batch_id, command_number, details)
  SELECT i.project_id, NEW.audit ->> 'actor', NEW.audit ->> 'actorType', NEW.audit ->> 'via', NEW.audit ->> 'operation', 'PENDING',
    i.workflow_id, i.definition_id::text, NEW.audit ->> 'executionKey', NEW.audit ->> 'batchID', NEW.number, NEW.audit -> 'details'
  FROM instances i WHERE i.workflow_id = NEW.workflow_id;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_command AFTER INSERT ON commands FOR EACH ROW WHEN (NEW.audit IS NOT NULL) EXECUTE FUNCTION audit_command();

CREATE FUNCTION audit_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_entries SET outcome = NEW.status, code = NEW.code WHERE workflow_id = NEW.workflow_id AND command_number = NEW.number AND outcome = 'PENDING' AND command_number IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_outcome AFTER UPDATE OF status ON commands FOR EACH ROW
  WHEN (NEW.audit IS NOT NULL AND OLD.status = 'PENDING' AND NEW.status <> 'PENDING') EXECUTE FUNCTION audit_outcome();

