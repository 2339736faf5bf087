CREATE INDEX CONCURRENTLY publications_by_position ON publications (project_id, position DESC);
