-- Suspensions that are due; see `store/suspension/scheduled.ts`.
CREATE INDEX CONCURRENTLY definitions_suspension_scheduled ON definitions (suspension_scheduled_at) WHERE suspension_scheduled_at IS NOT NULL
