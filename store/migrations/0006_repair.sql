-- Up Migration

-- Repairing instances by hand: modifications and migrations.

-- Everything that stood in the way of a command, where it can be more than one thing: a list of sentences.
ALTER TABLE commands ADD COLUMN issues json;

-- The version an instance was started with, when it has been migrated to another one since.
ALTER TABLE instances ADD COLUMN started_definition_id uuid;
