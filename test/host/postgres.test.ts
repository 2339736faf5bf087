import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../host/postgres.js';
import { createEmptyDatabase, type TestDatabase } from '../support/infrastructure.js';

let database: TestDatabase;
let store: Pool;

beforeEach(async () => {
  database = await createEmptyDatabase();
  store = await openStore(database.url, { logger: pino({ level: 'silent' }), stopping: new AbortController().signal });
});
afterEach(async () => {
  await store.end();
  await database.drop();
});

it('a connection that breaks while it is lent, and nothing is asked of it, fails the next query and nothing else', async () => {
  const lent = await store.connect();
  // Not `once` of node:events, which listens for the error too: unheard, that ends the process.
  const ended = new Promise((resolve) => lent.once('end', resolve));
  const { rows } = await lent.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');

  await store.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
  await ended;

  await expect(lent.query('SELECT 1')).rejects.toThrow();
  lent.release();
  expect((await store.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
