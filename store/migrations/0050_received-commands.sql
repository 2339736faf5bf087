-- Up Migration

-- Number of the last command that the instance had read when it last committed a step. A command is signaled only if the
-- instance has read all commands before it.
ALTER TABLE instances ADD COLUMN received_commands integer NOT NULL DEFAULT 0;
