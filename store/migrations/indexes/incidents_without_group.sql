-- For the backfill of groups.
CREATE INDEX CONCURRENTLY incidents_without_group ON incidents (workflow_id, number) WHERE group_id IS NULL
