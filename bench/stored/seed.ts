/** Fills a store with instances that have ended, as copies of some that the host has really run. */
import type pg from 'pg';
import { TABLES_OF_AN_INSTANCE } from '../../store/retention/retention.js';

interface Column {
  name: string;
  type: string;
}

/** The ids of workflows are replaced in these, the same way everywhere. */
const ID_COLUMNS = new Set(['workflow_id', 'root_workflow_id']);

/**
 * Copies each ended instance with every row that it left behind until there are `instances`; older copies ended earlier,
 * a second each. The tables are vacuumed, and what is still to be written to disk is written.
 */
export async function copyEndedInstances(store: pg.Pool, instances: number): Promise<void> {
  const { rows } = await store.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM instances WHERE status <> 'RUNNING'",
  );
  const copies = Math.ceil(instances / rows[0]!.count) - 1;
  if (copies > 0) {
    await store.query("CREATE TABLE seeds AS SELECT workflow_id FROM instances WHERE status <> 'RUNNING'");
    for (const table of ['instances', ...TABLES_OF_AN_INSTANCE]) await copyRows(store, table, copies);
    await store.query('DROP TABLE seeds');
  }
  await store.query('VACUUM ANALYZE');
  await store.query('CHECKPOINT');
}

async function copyRows(store: pg.Pool, table: string, copies: number): Promise<void> {
  const columns = await columnsOf(store, table);
  await store.query(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
     SELECT ${columns.map(copyOf).join(', ')} FROM generate_series(1, $1::int) AS copy CROSS JOIN ${table} t JOIN seeds USING (workflow_id)`,
    [copies],
  );
}

/** All but those that Postgres fills in itself. */
async function columnsOf(store: pg.Pool, table: string): Promise<Column[]> {
  const { rows } = await store.query<Column>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER' AND coalesce(column_default, '') NOT LIKE 'gen_random_uuid%'
     ORDER BY ordinal_position`,
    [table],
  );
  return rows;
}

function copyOf({ name, type }: Column): string {
  if (ID_COLUMNS.has(name)) return `md5(t.${name} || copy)::uuid::text`;
  return type === 'timestamp with time zone' ? `t.${name} - copy * interval '1 second'` : `t.${name}`;
}
