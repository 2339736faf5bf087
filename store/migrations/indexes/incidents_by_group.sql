-- For lists of one group; the order is that of `store/work/incidents/lists.ts`.
CREATE INDEX CONCURRENTLY incidents_by_group ON incidents (project_id, group_id, raised_at DESC)
