-- What has not been matched yet, by project. Replaces start_subscriptions_to_match
CREATE INDEX CONCURRENTLY start_subscriptions_due ON start_subscriptions (project_id, match_at) WHERE match_at IS NOT NULL;
