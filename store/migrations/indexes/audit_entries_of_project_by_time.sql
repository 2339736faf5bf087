-- For retention, and for lists between two times.
CREATE INDEX CONCURRENTLY audit_entries_of_project_by_time ON audit_entries (project_id, recorded_at)
