-- Up Migration

-- What took a message, while it is on its way: the number of the subscription. What a publication started, the first
-- few, and how many instances a signal was given to.
ALTER TABLE publications
  ADD COLUMN claimed_subscription integer,
  ADD COLUMN started jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN reached integer NOT NULL DEFAULT 0;

-- Publications that were taken, have expired, or were deleted, without their variables, for a day. A table of its own,
-- so that no match and no build of the last release takes them for open ones.
CREATE TABLE ended_publications (
  id uuid PRIMARY KEY,
  position bigint NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  -- Null also if it is large.
  correlation json,
  state text NOT NULL CHECK (state IN ('TAKEN', 'EXPIRED', 'DELETED')),
  published_by text,
  published_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  taken_by text COLLATE "C",
  taken_node text,
  started jsonb NOT NULL,
  reached integer NOT NULL
);
CREATE INDEX ended_publications_by_project ON ended_publications (project_id, position DESC);
CREATE INDEX ended_publications_by_age ON ended_publications (ended_at);
