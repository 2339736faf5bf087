-- Up Migration

-- A value goes with the run that stored it, never by its age. What two runs have stored is there twice.
ALTER TABLE stored_payloads
  -- The run by its id, the start of the instance, or a resync.
  ADD COLUMN stored_by text COLLATE "C" NOT NULL DEFAULT 'start';
ALTER TABLE stored_payloads ALTER COLUMN stored_by DROP DEFAULT;
-- Only instances have stored values.
DELETE FROM stored_payloads p WHERE NOT EXISTS (SELECT FROM instances i WHERE i.workflow_id = p.workflow_id);
ALTER TABLE stored_payloads
  DROP CONSTRAINT stored_payloads_pkey,
  ADD PRIMARY KEY (workflow_id, sha256, stored_by),
  DROP COLUMN stored_at;
