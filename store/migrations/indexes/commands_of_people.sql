-- Commands of people, for the timeline: most commands of an instance are results of jobs.
-- The condition is that of `store/timeline.ts`. The kind is the first member of the body.
CREATE INDEX CONCURRENTLY commands_of_people ON commands (workflow_id, created_at, number)
  WHERE substring(left(body::text, 64) FROM '^\{ ?"kind" ?: ?"([A-Z_]+)"')
    IN ('RESOLVE_INCIDENT', 'MODIFY', 'MIGRATE', 'CANCEL_INSTANCE', 'SET_VARIABLES', 'TRIGGER_AD_HOC', 'SET_AD_HOC_VARIABLES');
