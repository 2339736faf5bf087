-- For lists with `failureReasonContains`.
CREATE INDEX CONCURRENTLY instances_by_failure_reason ON instances USING gin (lower(failure_reason) gin_trgm_ops) WHERE failure_reason IS NOT NULL
