-- For lists; expression and order are those of `store/work/job-lists.ts`.
CREATE INDEX CONCURRENTLY jobs_by_definition ON jobs (project_id, (definition_path[cardinality(definition_path)]), created_at DESC)
