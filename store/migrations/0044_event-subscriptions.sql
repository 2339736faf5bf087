-- Up Migration

-- Where the events of a project are delivered.
CREATE TABLE event_subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  -- The name of the secret that signs.
  secret text COLLATE "C" NOT NULL,
  -- Without the prefix `perdure.`.
  types text[] COLLATE "C" NOT NULL,
  process_ids text[] COLLATE "C",
  enabled boolean NOT NULL DEFAULT true,
  -- Events up to here are delivered, or have a row in event_deliveries.
  position bigint NOT NULL,
  failing_since timestamptz,
  last_error text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The connector that is delivering; null: none.
  turn uuid,
  -- When a connector may take the next turn.
  look_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX event_subscriptions_of_project ON event_subscriptions (project_id, created_at);
CREATE INDEX event_subscriptions_to_look_at ON event_subscriptions (look_at) WHERE enabled;

-- Events that are being delivered, and dead letters. Delivered ones have no row.
CREATE TABLE event_deliveries (
  subscription_id uuid NOT NULL REFERENCES event_subscriptions ON DELETE CASCADE,
  position bigint NOT NULL,
  -- Events with the same key are delivered one after another.
  order_key text COLLATE "C" NOT NULL,
  -- Null for events of definitions and batches.
  workflow_id text COLLATE "C",
  attempts int NOT NULL DEFAULT 0,
  last_error text,
  queued_at timestamptz NOT NULL DEFAULT now(),
  -- Null: an earlier event with the same key comes first, or it is a dead letter.
  due_at timestamptz,
  dead_at timestamptz,
  PRIMARY KEY (subscription_id, position)
);
CREATE INDEX event_deliveries_due ON event_deliveries (subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX event_deliveries_in_order ON event_deliveries (subscription_id, order_key, position) WHERE dead_at IS NULL;
CREATE INDEX event_deliveries_dead ON event_deliveries (subscription_id, dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX event_deliveries_of_instance ON event_deliveries (workflow_id) WHERE workflow_id IS NOT NULL;
