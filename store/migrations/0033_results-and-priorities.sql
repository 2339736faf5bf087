-- Up Migration

-- Until when a request waits for the end or an incident of the instance, which is then announced.
ALTER TABLE instances ADD COLUMN result_awaited_until timestamptz;

ALTER TABLE jobs ADD COLUMN priority integer NOT NULL DEFAULT 0;
