-- Up Migration

-- How long instances, or activations of a node, should take at most. An empty node_id stands for the instance as a
-- whole. What began from `since` until before `until` keeps the target of that time.
CREATE TABLE targets (
  project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz,
  duration_ms bigint NOT NULL CHECK (duration_ms > 0),
  PRIMARY KEY (project_id, process_id, node_id, since)
);

-- What is open and has a target, found by the fold of the statistics. Element 1 is the instance as a whole.
CREATE TABLE target_dues (
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  due_at timestamptz NOT NULL,
  duration_ms bigint NOT NULL,
  missed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workflow_id, element)
);
CREATE INDEX target_dues_to_miss ON target_dues (due_at) WHERE NOT missed;

-- One row for each instance and each activation that took too long.
CREATE TABLE target_misses (
  number bigint GENERATED ALWAYS AS IDENTITY,
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  duration_ms bigint NOT NULL,
  due_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workflow_id, element)
);

-- Met: completed in time, by the hour of the end. Missed: by the hour in which it was due.
CREATE TABLE target_counts (
  project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  duration_ms bigint NOT NULL,
  hour timestamptz NOT NULL,
  version integer NOT NULL,
  met bigint NOT NULL DEFAULT 0,
  missed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, process_id, hour, node_id, duration_ms, version)
);
