-- Up Migration

-- The tables of step commits and pause waiters get the names of the glossary. Builds that run during the upgrade read and
-- write them through updatable views under the former names, which a later migration drops. The views have ctid, because
-- the former builds delete expired rows by it. Columns keep their names.
ALTER TABLE held_instances RENAME TO pause_waiters;
ALTER INDEX held_instances_pkey RENAME TO pause_waiters_pkey;
ALTER INDEX held_instances_by_holder RENAME TO pause_waiters_by_holder;
ALTER INDEX held_instances_to_wake RENAME TO pause_waiters_to_wake;
CREATE VIEW held_instances AS SELECT *, ctid FROM pause_waiters;

ALTER TABLE far_parks RENAME TO far_steps;
ALTER INDEX far_parks_pkey RENAME TO far_steps_pkey;
CREATE VIEW far_parks AS SELECT *, ctid FROM far_steps;

ALTER TABLE parks RENAME TO steps;
ALTER INDEX parks_pkey RENAME TO steps_pkey;
ALTER INDEX parks_with_snapshot RENAME TO steps_with_snapshot;
CREATE VIEW parks AS SELECT *, ctid FROM steps;

CREATE OR REPLACE FUNCTION follow_definition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The suspension that paused these instances may not apply to their new definition.
  WITH RECURSIVE below AS (
    SELECT workflow_id FROM instances WHERE workflow_id = NEW.workflow_id
    UNION ALL
    SELECT i.workflow_id FROM instances i JOIN below b ON i.parent_workflow_id = b.workflow_id
  )
  UPDATE pause_waiters h SET wake_at = now() FROM below b WHERE h.workflow_id = b.workflow_id;
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
