-- What has not been matched yet, by project. Replaces publications_to_match
CREATE INDEX CONCURRENTLY publications_due ON publications (project_id, match_at) WHERE match_at IS NOT NULL;
