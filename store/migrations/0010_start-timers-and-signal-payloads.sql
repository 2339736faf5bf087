-- Up Migration

-- Timers that start instances of a version of a process. Each wanted one is a schedule in Temporal. The row comes first;
-- the worker then makes Temporal agree. No foreign key: a row outlives its definition until Temporal has forgotten the
-- schedule.
CREATE TABLE start_timers (
  definition_id uuid NOT NULL,
  node_id text NOT NULL,
  trigger integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- What it says: an instant, or a repetition or cron expression that begins with the deployment.
  type text NOT NULL CHECK (type IN ('date', 'cycle')),
  timer text NOT NULL,
  deployed_at timestamptz NOT NULL,
  -- Whether the schedule is to exist, since when, and how often that has changed.
  wanted boolean NOT NULL DEFAULT true,
  wanted_at timestamptz NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 0,
  -- Since when Temporal is to be told; null when it agrees.
  send_at timestamptz DEFAULT now(),
  -- Ticks that started nothing because the definition was suspended.
  skipped_ticks integer NOT NULL DEFAULT 0,
  last_skipped_tick timestamptz,
  PRIMARY KEY (definition_id, node_id, trigger)
);
CREATE INDEX start_timers_to_send ON start_timers (send_at) WHERE send_at IS NOT NULL;
CREATE INDEX start_timers_by_project ON start_timers (project_id);

-- Variables of a signal that are too large to stand in the command of every instance that hears it.
CREATE TABLE signal_payloads (
  publication_id uuid PRIMARY KEY,
  variables json NOT NULL
);
ALTER TABLE commands ADD COLUMN payload_id uuid;
CREATE INDEX commands_by_payload ON commands (payload_id) WHERE payload_id IS NOT NULL;

-- Whether callers can start it: false when only events begin it.
ALTER TABLE definitions ADD COLUMN starts_by_call boolean NOT NULL DEFAULT true;
