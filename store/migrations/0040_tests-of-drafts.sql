-- Up Migration

-- As in 0028, but what happens to a test of a draft is recorded in the project that it belongs to.
CREATE OR REPLACE FUNCTION audit_command() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (project_id, actor, actor_type, via, operation, outcome, workflow_id, definition_id, execution_key, batch_id, command_number, details)
  SELECT split_part(i.project_id, '~', 1), NEW.audit ->> 'actor', NEW.audit ->> 'actorType', NEW.audit ->> 'via', NEW.audit ->> 'operation', 'PENDING',
    i.workflow_id, i.definition_id::text, NEW.audit ->> 'executionKey', NEW.audit ->> 'batchID', NEW.number, NEW.audit -> 'details'
  FROM instances i WHERE i.workflow_id = NEW.workflow_id;
  RETURN NULL;
END $$;

-- The draft of which a resource is the copy for a test.
ALTER TABLE resources ADD COLUMN tested_draft uuid;
