-- For lists with `messageContains`.
CREATE INDEX CONCURRENTLY incidents_by_text ON incidents USING gin (lower(message) gin_trgm_ops)
