-- Up Migration

-- What the cursors of searches are signed with: every API of a host reads the same one. One row.
CREATE TABLE search_cursor_key (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
