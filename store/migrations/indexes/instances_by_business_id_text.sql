-- For prefixes and for sorting; the order is that of `store/instances/lists.ts`.
CREATE INDEX CONCURRENTLY instances_by_business_id_text ON instances (project_id, business_id COLLATE "C", number) WHERE business_id IS NOT NULL
