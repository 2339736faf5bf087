-- Up Migration

-- The ended instance that it is a restart of. That one may have been removed since.
ALTER TABLE instances ADD COLUMN restarted_from text;
