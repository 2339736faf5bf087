-- Starts that Temporal has not accepted, by project. Replaces instance_starts_to_deliver
CREATE INDEX CONCURRENTLY instance_starts_due ON instance_starts (project_id, deliver_at) WHERE deliver_at < 'infinity';
