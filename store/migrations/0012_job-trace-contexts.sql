-- Up Migration

-- The W3C trace context of the step that created the job, for the spans of its worker.
ALTER TABLE jobs ADD COLUMN trace_context json;
