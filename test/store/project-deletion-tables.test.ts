/** Every table of the schema has one row of a project; after its deletion, none has. */
import { expect, it } from 'vitest';
import { deleteProject } from '../../store/projects/projects.js';
import { deleteBehindRemoved } from '../../store/retention/retention.js';
import { rows } from '../../store/sql/database.js';
import { deletePages, settleDeletion } from '../support/deleted-projects.js';
import { useStore, valueOf } from './support/store.js';

const store = useStore();

const PROJECT = 'deleted';
/** The value of all ids, so that each row belongs to each other. */
const ID = '00000000-0000-4000-8000-000000000001';
const WORKFLOW = 'workflow';

/** Tables that keep rows after the deletion of a project, and why. */
const kept: Record<string, string> = {
  graphs: 'by content, and shared by projects',
  user_task_names: 'go with their graph',
  audit_entries: 'outlive their project',
  audit_entries_to_log: 'until a line of the log is written',
  audit_logs: 'where the log of a later project with the same id begins',
  removed_instances: 'until their rows are deleted',
  gone_instances: 'for 30 days: workflows that ask for their last step',
  erased_instances: 'until Temporal has no workflow',
  steps_to_fold: 'the fold deletes all',
  temporal_executions: 'until connectors have canceled them',
  resumptions: 'until all waiters are notified',
  statistics_progress: 'one row of the installation',
  search_cursor_key: 'one row of the installation',
  schema_migrations: 'of the installation',
  pgmigrations: 'of the installation',
};

/** Values that a check demands, or that make the row one that a deletion finds. */
const values: Record<string, Record<string, unknown>> = {
  projects: { id: PROJECT },
  instances: { status: 'COMPLETED' },
  subscriptions: { type: 'message' },
  start_subscriptions: { type: 'message' },
  start_timers: { type: 'cycle' },
  publications: { type: 'message' },
  ended_publications: { state: 'TAKEN' },
  backtest_items: { outcome: 'SAME' },
  batches: { operation: 'CANCEL' },
  hook_deliveries: { outcome: 'PUBLISHED' },
  statistics: { unit: 'hour' },
  deployment_items: { kind: 'PROCESS' },
};

interface Column {
  table: string;
  name: string;
  type: string;
  isNeeded: boolean;
}

/** Columns that must have a value, those that say whose row it is, and those with a value here. */
async function columnsToFill(): Promise<Column[]> {
  const columns = await rows<Column>(
    store.database,
    `SELECT c.table_name AS "table", c.column_name AS name, c.data_type AS type, c.is_nullable = 'NO' AND c.column_default IS NULL
       OR c.column_name IN ('id', 'project_id', 'workflow_id') AS "isNeeded"
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_identity = 'NO' AND c.is_generated = 'NEVER' ORDER BY 1, 2`,
    [],
  );
  return columns.filter(({ table, name, isNeeded }) => isNeeded || values[table]?.[name] !== undefined);
}

function valueFor({ table, name, type }: Column): unknown {
  const chosen = values[table]?.[name];
  if (chosen !== undefined) return chosen;
  if (name === 'project_id') return PROJECT;
  if (name === 'workflow_id' || name === 'root_workflow_id') return WORKFLOW;
  if (type === 'uuid') return ID;
  if (type === 'integer' || type === 'bigint') return 1;
  if (type === 'boolean') return false;
  if (type.startsWith('timestamp')) return new Date();
  if (type.startsWith('json')) return '{}';
  if (type === 'ARRAY') return [];
  if (type === 'bytea') return Buffer.from('x');
  return 'x';
}

it('no table has a row of a project after its deletion, except those with a reason', async () => {
  const columns = await columnsToFill();
  const tables = [...new Set(columns.map(({ table }) => table))].filter((table) => !(table in kept));
  expect(tables).toContain('stored_payloads');
  await store.database.transaction(async (transaction) => {
    // Without foreign keys and triggers, in any order.
    await transaction.query("SET LOCAL session_replication_role = 'replica'");
    for (const table of tables) {
      await transaction.query(`DELETE FROM ${table}`);
      const filled = columns.filter((column) => column.table === table);
      const places = filled.map((_, index) => `$${index + 1}`);
      await transaction.query(
        `INSERT INTO ${table} (${filled.map(({ name }) => name).join(', ')}) VALUES (${places.join(', ')})`,
        filled.map(valueFor),
      );
    }
  });
  expect(await deleteProject(store.database, PROJECT)).toMatchObject({ kind: 'deleted' });
  await settleDeletion(store.database, PROJECT);
  expect(await deletePages(store.database, PROJECT)).toBe('waiting');
  // As if a worker had deleted the schedule in Temporal.
  await store.database.query('UPDATE start_timers SET send_at = NULL');
  expect(await deletePages(store.database, PROJECT)).toBe('gone');
  while (await deleteBehindRemoved(store.database));
  for (const table of tables)
    expect(
      await valueOf(store, `SELECT count(*)::int AS value FROM ${table}`),
      `rows in ${table}: let store/projects/deletion.ts delete them`,
    ).toBe(0);
});
