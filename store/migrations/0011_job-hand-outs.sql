-- Up Migration

-- When the job was handed out last; null before the first time. How long workers take is measured from here.
ALTER TABLE jobs ADD COLUMN handed_out_at timestamptz;
