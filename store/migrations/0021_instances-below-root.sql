-- Up Migration

-- Replaced by store/migrations/indexes/instances_below_root.sql, which also has the order that retention needs.
DROP INDEX instances_called_by_root;
