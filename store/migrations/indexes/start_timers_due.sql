-- Timers to report to Temporal, by project. Replaces start_timers_to_send
CREATE INDEX CONCURRENTLY start_timers_due ON start_timers (project_id, send_at) WHERE send_at IS NOT NULL;
