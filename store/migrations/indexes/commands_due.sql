-- Undelivered commands, by project so that the outbox relay can serve projects in turn. Replaces commands_to_deliver
CREATE INDEX CONCURRENTLY commands_due ON commands (project_id, deliver_at) WHERE status = 'PENDING';
