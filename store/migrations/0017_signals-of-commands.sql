-- Up Migration
-- The signal that a command delivers. The body cannot be searched for it: it may hold text that Postgres cannot decode.
ALTER TABLE commands ADD COLUMN signal_id uuid;

UPDATE commands SET signal_id = substring(body::text FROM '"publicationID" ?: ?"([0-9a-f-]{36})"')::uuid
WHERE body::text ~ '^\{ ?"kind" ?: ?"DELIVER_SIGNAL"';
