/** Copies of ended instances, with which benches fill a store. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { copyEndedInstances } from '../../bench/stored/seed.js';
import { began, commitStep, jobCreated, start, useStore, valueOf } from './support/store.js';

const store = useStore();

test('copies of an ended instance have each row of it once', async () => {
  const workflowID = await start(store, {});
  await commitStep(store, workflowID, 1, [...began, ...jobCreated()]);
  await commitStep(store, workflowID, 2, [{ kind: 'INSTANCE_COMPLETED' }]);
  const pool = new pg.Pool({ connectionString: store.databaseUrl, max: 1 });
  await copyEndedInstances(pool, 5).finally(() => pool.end());
  for (const table of ['instances', 'steps', 'jobs'])
    expect(
      await valueOf(store, `SELECT count(*)::int AS value FROM ${table} WHERE workflow_id IS NOT NULL`),
      table,
    ).toBe(table === 'steps' ? 10 : 5);
  expect(await valueOf(store, 'SELECT count(DISTINCT workflow_id)::int AS value FROM instances')).toBe(5);
});
