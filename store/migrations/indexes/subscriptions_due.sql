-- What has not been matched yet, by project. Replaces subscriptions_to_match
CREATE INDEX CONCURRENTLY subscriptions_due ON subscriptions (project_id, match_at) WHERE match_at IS NOT NULL;
