-- Up Migration

ALTER TABLE definitions
  -- Only starts are suspended: running instances continue. A full suspension clears it, except by a build that does not
  -- know it.
  ADD COLUMN starts_suspended_at timestamptz,
  ADD COLUMN starts_suspended_by text,
  ADD COLUMN starts_suspend_reason text,
  -- A suspension at a later time, of starts only or in full.
  ADD COLUMN suspension_scheduled_at timestamptz,
  ADD COLUMN suspension_scheduled_instances boolean,
  ADD COLUMN suspension_scheduled_by text,
  ADD COLUMN suspension_scheduled_actor_type text,
  ADD COLUMN suspension_scheduled_reason text,
  ADD CHECK (num_nulls(suspension_scheduled_at, suspension_scheduled_instances, suspension_scheduled_by, suspension_scheduled_actor_type) IN (0, 4));

-- Whether the change concerned running instances, or starts only.
ALTER TABLE suspension_changes ADD COLUMN instances boolean NOT NULL DEFAULT true;
