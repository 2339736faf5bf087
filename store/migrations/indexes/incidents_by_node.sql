-- For lists; the order is that of `store/work/incidents/lists.ts`.
CREATE INDEX CONCURRENTLY incidents_by_node ON incidents (project_id, node_id, raised_at DESC)
