-- Up Migration

-- Instances whose newest step commits the statistics may lack. Each step commit adds a row. Without an index: the fold
-- reads and deletes all of them, in any order.
CREATE TABLE steps_to_fold (
  workflow_id text COLLATE "C" NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- How much of each instance the statistics include: its last folded step, and what is open after it.
CREATE TABLE folded_instances (
  workflow_id text COLLATE "C" PRIMARY KEY,
  steps integer NOT NULL,
  state json NOT NULL
) WITH (fillfactor = 80);

-- Sums by hour and by day in UTC. They stay when instances are removed, so they refer to none. An empty node_id stands
-- for the instance as a whole. Durations are sketches (`store/statistics/sketch.ts`).
CREATE TABLE statistics (
  project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL CHECK (unit IN ('hour', 'day')),
  time timestamptz NOT NULL,
  version integer NOT NULL,
  started bigint NOT NULL DEFAULT 0,
  completed bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  canceled bigint NOT NULL DEFAULT 0,
  incidents bigint NOT NULL DEFAULT 0,
  durations bytea,
  waiting bytea,
  working bytea,
  PRIMARY KEY (project_id, process_id, unit, time, node_id, version)
) WITH (fillfactor = 80);
CREATE INDEX statistics_of_project ON statistics (project_id, time) WHERE unit = 'hour';
CREATE INDEX statistics_of_instances ON statistics (project_id, process_id, unit, time) WHERE node_id = '';

-- Every step commit before this time is in the statistics.
CREATE TABLE statistics_progress (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  as_of timestamptz NOT NULL
);
INSERT INTO statistics_progress (as_of) VALUES ('epoch');

-- `handed_out_at` and `assigned_at` are those of the last time.
ALTER TABLE jobs ADD COLUMN first_handed_out_at timestamptz;
ALTER TABLE user_tasks ADD COLUMN first_assigned_at timestamptz;

INSERT INTO steps_to_fold SELECT workflow_id FROM instances WHERE strpos(project_id, '~') = 0;
