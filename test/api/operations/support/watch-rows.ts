import type { PooledDatabase } from '../../../../store/connections/pooled-database.js';

/**
 * Notes the table of each row that connections with this application name insert, delete, or set to other values. A note is
 * rolled back with its change.
 */
export async function watchRows(store: PooledDatabase, application: string) {
  await store.query(`
    CREATE SCHEMA watching;
    CREATE TABLE watching.changes (name text NOT NULL);
    CREATE FUNCTION watching.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_setting('application_name') = '${application}' AND (TG_OP <> 'UPDATE' OR OLD::text <> NEW::text) THEN
        INSERT INTO watching.changes VALUES (TG_TABLE_NAME);
      END IF;
      RETURN NULL;
    END $$;
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' LOOP
        EXECUTE format('CREATE TRIGGER watching AFTER INSERT OR UPDATE OR DELETE ON public.%I FOR EACH ROW EXECUTE FUNCTION watching.note()', name);
      END LOOP;
    END $$`);
  return {
    forget: () => store.query('TRUNCATE watching.changes'),
    /** Names of the tables, each once. */
    async changed(): Promise<string[]> {
      const { rows } = await store.query<{ name: string }>('SELECT DISTINCT name FROM watching.changes ORDER BY 1');
      return rows.map(({ name }) => name);
    },
  };
}
