-- Up Migration

-- Values too large for Temporal: its histories hold a claim with the digest, the value itself is here.
CREATE TABLE stored_payloads (
  workflow_id text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  -- A payload of Temporal in protobuf's binary form, encrypted where the host encrypts.
  payload bytea NOT NULL,
  -- Of the last time it was stored: a value may come again.
  stored_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workflow_id, sha256)
);
-- What belongs to no instance goes by its age.
CREATE INDEX stored_payloads_by_age ON stored_payloads (stored_at);

-- Instances whose rows are gone: a workflow that has not heard of its last park ends when it asks.
CREATE TABLE gone_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  gone_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX gone_instances_by_age ON gone_instances (gone_at);
