-- Up Migration

-- A parallel multiple start event: an instance begins when all triggers of the node have arrived, not with each.
ALTER TABLE start_subscriptions ADD COLUMN together boolean NOT NULL DEFAULT false;
