-- Up Migration

-- The ids of the nodes at which a running instance stands, as of its last park. Null while that is not known: before its first
-- park, and until its next one where the last was written before there was this column. Null once it has ended. In no
-- index, so that parks stay heap-only updates.
ALTER TABLE instances ADD COLUMN active_nodes text[] COLLATE "C";
