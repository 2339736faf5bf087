-- Up Migration

-- What a search can tell of captured variables without reading them: names, types, numbers and the beginnings of strings
-- (store/search-summary.ts). Null where there is too much to tell; such an instance is always evaluated.
ALTER TABLE instances ADD COLUMN outline jsonb;
-- Long variables go elsewhere, this stays: a search reads it of every instance.
ALTER TABLE instances ALTER COLUMN outline SET STORAGE MAIN;
