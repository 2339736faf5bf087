-- Jobs that operators ended, for the timeline: job workers end nearly all.
CREATE INDEX CONCURRENTLY jobs_ended_by_operators ON jobs (workflow_id, ending_command) WHERE ending_command IS NOT NULL AND ended_by_client IS NULL
