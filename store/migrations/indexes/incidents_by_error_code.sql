-- For lists; the order is that of `store/work/incidents/lists.ts`.
CREATE INDEX CONCURRENTLY incidents_by_error_code ON incidents (project_id, error_code, raised_at DESC) WHERE error_code IS NOT NULL
