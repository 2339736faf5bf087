-- Up Migration

-- For lists that contain a text.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

ALTER TABLE incidents
  -- The element instance around that of the incident; null in rows of builds that did not record it.
  ADD COLUMN scope integer,
  -- The number of the job or user task whose failure raised it.
  ADD COLUMN failed_work integer,
  -- Set by a trigger. Existing rows get theirs from store/migrations/backfills/.
  ADD COLUMN group_id text COLLATE "C";

-- The message without what differs from one incident to the next: quoted text, UUIDs, and numbers. The result must
-- never change, because group ids contain it.
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

-- A trigger, because hosts of the last release write incidents too, and migrations of instances rename nodes.
CREATE FUNCTION group_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.group_id := incident_group((SELECT process_id FROM definitions WHERE id = NEW.definition_id),
    NEW.node_id, NEW.error_type, NEW.error_code, NEW.message);
  RETURN NEW;
END $$;
CREATE TRIGGER group_incident BEFORE INSERT OR UPDATE OF definition_id, node_id ON incidents
  FOR EACH ROW EXECUTE FUNCTION group_incident();
