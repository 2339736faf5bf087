import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyzeGrown } from '../../store/sql/planner-statistics.js';
import { useStore } from './support/store.js';

const store = useStore();
let client: PoolClient;

beforeAll(async () => {
  client = await store.pool.connect();
  await client.query('CREATE TABLE growing (number integer)');
});
afterAll(() => client.release());

/** Adds rows and lets Postgres count them now instead of within a second. */
async function grow(count: number): Promise<void> {
  await client.query('INSERT INTO growing SELECT generate_series(1, $1::integer)', [count]);
  await client.query('SELECT pg_stat_force_next_flush()');
}

test('a table is analyzed whenever it has doubled, from 200 rows on', async () => {
  await grow(199);
  expect(await analyzeGrown(store.database)).not.toContain('growing');
  await grow(1);
  expect(await analyzeGrown(store.database)).toContain('growing');
  expect(await analyzeGrown(store.database)).not.toContain('growing');
  await grow(199);
  expect(await analyzeGrown(store.database)).not.toContain('growing');
  await grow(1);
  expect(await analyzeGrown(store.database)).toContain('growing');
});
