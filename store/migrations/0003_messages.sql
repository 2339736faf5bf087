-- Up Migration

-- Messages and signals: who waits for them and what has been published. A publication and a subscription are written
-- without a lock, each with `match_at`; they meet afterwards, in a transaction that holds the advisory lock of their
-- channel. Whichever of them is matched last sees the other, so neither can miss the other.
--
-- Order of locks: the channel's advisory lock, an instance, its subscription, the publication. A park takes an instance
-- and what hangs from it and never waits for a channel.

-- Open waits of instances for a message or a signal; closed ones are deleted.
CREATE TABLE subscriptions (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  -- The order in which they were opened: the oldest takes a message.
  position bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  type text NOT NULL CHECK (type IN ('message', 'signal')),
  name text NOT NULL,
  -- SHA-256 of type and name.
  channel text COLLATE "C" NOT NULL,
  -- SHA-256 of the channel and what a message must carry at least to match.
  key text COLLATE "C" NOT NULL,
  correlation json,
  opened_at timestamptz NOT NULL DEFAULT now(),
  -- The message or signal that is on its way to it; it takes no other.
  publication_id uuid,
  -- Since when it is to be compared with what is kept; null when that is done.
  match_at timestamptz,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX subscriptions_open ON subscriptions (key, project_id, position) WHERE publication_id IS NULL;
CREATE INDEX subscriptions_to_match ON subscriptions (match_at) WHERE match_at IS NOT NULL;

-- Messages until somebody has taken them, signals until their time to live has ended.
CREATE TABLE publications (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  position bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('message', 'signal')),
  name text NOT NULL,
  channel text COLLATE "C" NOT NULL,
  -- The keys of all subscriptions that may match it.
  keys text[] NOT NULL,
  correlation json,
  variables json NOT NULL,
  -- Null when an instance has published it.
  published_by text,
  published_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  match_at timestamptz,
  -- The subscription that a message was given to, and the number of the command that carries it there.
  claimed_by text COLLATE "C",
  claimed_command integer,
  -- A signal was delivered to subscriptions up to this position.
  delivered_to bigint NOT NULL DEFAULT 0
);
CREATE INDEX publications_kept ON publications USING gin (keys) WITH (fastupdate = off) WHERE claimed_by IS NULL;
CREATE INDEX publications_claimed ON publications (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX publications_to_match ON publications (match_at) WHERE match_at IS NOT NULL;
CREATE INDEX publications_by_channel ON publications (channel, project_id, position) WHERE claimed_by IS NULL;
CREATE INDEX publications_by_project ON publications (project_id, expires_at) WHERE type = 'message';
CREATE INDEX publications_by_expiry ON publications (expires_at);

-- Which instances a signal has reached: one that is kept reaches each of them once.
CREATE TABLE signal_deliveries (
  publication_id uuid NOT NULL REFERENCES publications ON DELETE CASCADE,
  workflow_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (publication_id, workflow_id)
);

-- What starts an instance of a version of a process; only the newest version of a process is ever started by it.
CREATE TABLE start_subscriptions (
  definition_id uuid NOT NULL REFERENCES definitions ON DELETE CASCADE,
  node_id text NOT NULL,
  trigger integer NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('message', 'signal')),
  name text NOT NULL,
  channel text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  match_at timestamptz,
  PRIMARY KEY (definition_id, node_id, trigger)
);
CREATE INDEX start_subscriptions_by_channel ON start_subscriptions (channel, project_id, position);
CREATE INDEX start_subscriptions_to_match ON start_subscriptions (match_at) WHERE match_at IS NOT NULL;
