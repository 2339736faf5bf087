-- What people did to one instance, for its timeline: an instance may have had a million commands that nobody gave by hand.
-- The condition is the one of `store/timeline.ts`; the kind is the first member of the body.
CREATE INDEX CONCURRENTLY commands_of_people ON commands (workflow_id, created_at, number)
  WHERE substring(left(body::text, 64) FROM '^\{ ?"kind" ?: ?"([A-Z_]+)"')
    IN ('RESOLVE_INCIDENT', 'MODIFY', 'MIGRATE', 'CANCEL_INSTANCE', 'SET_VARIABLES', 'TRIGGER_AD_HOC', 'SET_AD_HOC_VARIABLES');
