-- Up Migration

-- The W3C trace context of the request or step that published it, for the steps that it causes.
ALTER TABLE publications ADD COLUMN trace_context json;
