-- Up Migration

-- Addresses at which other systems publish messages.
CREATE TABLE hooks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  -- How a delivery is authenticated; its secret is only named.
  auth json NOT NULL,
  message_name text NOT NULL,
  correlation_keys text,
  variables text,
  idempotency_key text,
  -- A duration, or an instant, as it was given.
  ttl text,
  enabled boolean NOT NULL,
  -- Grows with every change, so that a process does not act on what it remembers of an earlier one.
  revision integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_by text,
  updated_at timestamptz
);
CREATE INDEX hooks_of_project ON hooks (project_id, created_at, id);

-- What authenticated senders delivered in the last days.
CREATE TABLE hook_deliveries (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL,
  -- No foreign key: deleting a hook would delete any number of them. Cleanup does, in parts.
  hook_id uuid NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('PUBLISHED', 'IGNORED', 'REPEATED', 'FAILED')),
  publication_id uuid,
  problem text,
  -- Only of failed ones.
  body text
);
CREATE INDEX hook_deliveries_of_hook ON hook_deliveries (hook_id, number);
CREATE INDEX hook_deliveries_with_body ON hook_deliveries (hook_id, number) WHERE body IS NOT NULL;
CREATE INDEX hook_deliveries_by_time ON hook_deliveries (received_at);
CREATE INDEX hook_deliveries_of_project ON hook_deliveries (project_id);
