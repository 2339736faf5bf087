CREATE INDEX CONCURRENTLY subscriptions_by_channel ON subscriptions (channel, project_id, position);
