CREATE INDEX CONCURRENTLY subscriptions_by_project ON subscriptions (project_id, opened_at);
