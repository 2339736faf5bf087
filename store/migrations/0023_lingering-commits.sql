-- Up Migration

-- The worker whose step commit waits for the next command of the instance, and until when at the latest.
ALTER TABLE instances ADD COLUMN lingering_worker text, ADD COLUMN lingering_until timestamptz;

-- Until when the result of the job continues its instance in the workflow task that created it: polls take such jobs first.
ALTER TABLE jobs ADD COLUMN hot_until timestamptz;
