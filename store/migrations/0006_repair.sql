-- Up Migration

-- Repairing instances by hand: modifications and migrations.

-- Everything that stood in the way of a command, where it can be more than one thing: a list of sentences.
ALTER TABLE commands ADD COLUMN issues json;
