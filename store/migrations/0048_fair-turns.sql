-- Up Migration

-- The outbox relay serves projects in turn. Rows without a project, which an earlier build writes while a fleet is
-- updated, are served like those of a project of their own.
ALTER TABLE commands ADD COLUMN project_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE instance_starts ADD COLUMN project_id text COLLATE "C" NOT NULL DEFAULT '';

-- The walk that looks for unfolded steps has looked at instances up to this one; empty between two walks.
ALTER TABLE statistics_progress ADD COLUMN looked_through text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE statistics_progress ADD COLUMN looked_at timestamptz NOT NULL DEFAULT 'epoch';
-- When the fold of existing histories began.
ALTER TABLE statistics_progress ADD COLUMN begun_at timestamptz NOT NULL DEFAULT now();
