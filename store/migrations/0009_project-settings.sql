-- Up Migration

-- What a project's admins may choose. Null: the default of the host holds.
ALTER TABLE projects
  ADD COLUMN description text,
  -- How long messages and signals are kept that do not say themselves.
  ADD COLUMN message_ttl_ms bigint CHECK (message_ttl_ms >= 0),
  ADD COLUMN signal_ttl_ms bigint CHECK (signal_ttl_ms >= 0),
  -- How long ended instances are kept.
  ADD COLUMN history_retention_ms bigint CHECK (history_retention_ms >= 0);
