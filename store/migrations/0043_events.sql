-- Up Migration

-- How long the event feed of a project is kept; null: it has none.
ALTER TABLE projects ADD COLUMN event_retention_ms bigint CHECK (event_retention_ms > 0);

-- One row per event, written in the transaction of what it tells. Its position is assigned after the commit, in the
-- order of the numbers, so nothing can appear before a position that was read.
CREATE TABLE events (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  position bigint,
  -- No foreign key: its lock on the project would meet those of deployments.
  project_id text COLLATE "C" NOT NULL,
  -- Without the prefix `perdure.`.
  type text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  -- Null for events of definitions and batches.
  workflow_id text COLLATE "C",
  process_id text COLLATE "C",
  happened_at timestamptz NOT NULL DEFAULT now(),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  data jsonb NOT NULL
);
CREATE UNIQUE INDEX events_by_position ON events (project_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_without_position ON events (number) WHERE position IS NULL;
CREATE INDEX events_of_instance ON events (workflow_id) WHERE workflow_id IS NOT NULL;

CREATE SEQUENCE event_positions AS bigint;

-- A feed begins when the retention is set. What was before it, or was removed since, cannot be followed.
CREATE TABLE event_feeds (
  project_id text COLLATE "C" PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  -- The last position that was removed, or that no event of this feed has.
  expired_through bigint NOT NULL
);

CREATE FUNCTION begin_event_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_feeds (project_id, expired_through) VALUES (NEW.id, nextval('event_positions'))
  ON CONFLICT (project_id) DO UPDATE SET expired_through = excluded.expired_through;
  RETURN NULL;
END $$;
CREATE TRIGGER begin_event_feed AFTER UPDATE OF event_retention_ms ON projects FOR EACH ROW
  WHEN (OLD.event_retention_ms IS NULL AND NEW.event_retention_ms IS NOT NULL) EXECUTE FUNCTION begin_event_feed();

-- Whether the event that it is overdue has been written.
ALTER TABLE user_tasks ADD COLUMN overdue_reported boolean NOT NULL DEFAULT false;
