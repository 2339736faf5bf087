-- One role for each role of a host, and one for migrations (docs/operations/database-roles.md). Run it as an administrator, in
-- the database of Perdure: before the first migration, and again after each one. It can be run at any time.

-- Who
-- ---------------------------------------------------------------------------------------------------------------------

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['perdure_owner', 'perdure_api', 'perdure_worker', 'perdure_connectors'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      -- Without a password, so nobody can sign in yet.
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION', name);
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), name);
  END LOOP;
  EXECUTE format('REVOKE CONNECT, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;

-- The schema: only its owner creates, alters, and drops
-- ---------------------------------------------------------------------------------------------------------------------

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO perdure_api, perdure_worker, perdure_connectors;
GRANT USAGE, CREATE ON SCHEMA public TO perdure_owner;
-- Creating an extension takes rights on the database, which the owner of the schema does not need otherwise.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Rows. A table of a later migration is open to hosts at once, and closed again by the next run of this file.
-- ---------------------------------------------------------------------------------------------------------------------

ALTER DEFAULT PRIVILEGES FOR ROLE perdure_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO perdure_api, perdure_worker, perdure_connectors;
ALTER DEFAULT PRIVILEGES FOR ROLE perdure_owner IN SCHEMA public
  GRANT USAGE, SELECT ON SEQUENCES TO perdure_api, perdure_worker, perdure_connectors;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO perdure_api, perdure_worker, perdure_connectors;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO perdure_api, perdure_worker, perdure_connectors;

DO $$
DECLARE
  name text;
  -- What people and models decide: processes, decisions, forms, hooks, and who may do what.
  not_of_connectors text[] := ARRAY['resources', 'deployments', 'deployment_items', 'definitions', 'forms', 'form_uses',
    'element_templates', 'graphs', 'user_task_names', 'decision_definitions', 'decisions', 'projects', 'hooks', 'hook_deliveries', 'backtests',
    'backtest_items', 'backtest_groups', 'batches', 'batch_items', 'targets', 'audit_logs', 'user_task_comments', 'idempotency_keys', 'search_cursor_key'];
BEGIN
  IF to_regclass('schema_migrations') IS NULL THEN RETURN; END IF;

  REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM perdure_api, perdure_worker, perdure_connectors;

  -- The audit log: hosts add entries and fill in outcomes. Only the cleanup of workers removes entries.
  REVOKE UPDATE, DELETE ON audit_entries FROM perdure_api, perdure_worker, perdure_connectors;
  GRANT UPDATE (outcome, code, details) ON audit_entries TO perdure_api, perdure_worker, perdure_connectors;
  GRANT DELETE ON audit_entries TO perdure_worker;

  FOREACH name IN ARRAY not_of_connectors LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %I FROM perdure_connectors', name);
  END LOOP;
  REVOKE SELECT ON idempotency_keys, search_cursor_key FROM perdure_connectors;

  -- Workers analyze tables that have grown. Before Postgres 17, only owners may, and autovacuum does it later.
  IF current_setting('server_version_num')::int >= 170000 THEN
    GRANT MAINTAIN ON ALL TABLES IN SCHEMA public TO perdure_worker;
    ALTER DEFAULT PRIVILEGES FOR ROLE perdure_owner IN SCHEMA public GRANT MAINTAIN ON TABLES TO perdure_worker;
  END IF;
END $$;
