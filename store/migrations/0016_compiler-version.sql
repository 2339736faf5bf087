-- Up Migration

-- Version of the compiler that made the definition's graph. A newer one compiles the graph again from the file, in the
-- background, for instances to come. 0 where it is not known.
ALTER TABLE definitions ADD COLUMN compiler_version integer NOT NULL DEFAULT 0;
