import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '../../../api/commands/define-operation.js';
import { createDatabase, type TestDatabase } from '../../support/infrastructure.js';
import { startTestApi, type TestApi } from '../support/api.js';
import type { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { openDatabase } from '../../support/database.js';

const FLOOD = 200;

let database: TestDatabase;
let store: PooledDatabase;
let api: TestApi;
let arrived = 0;
/** Subjects in the order in which their requests were served. */
const served: string[] = [];

const readOne = defineOperation({
  method: 'GET',
  path: '/one',
  operationID: 'ReadOne',
  role: 'authenticated',
  summary: 'Reads a row',
  request: {},
  responses: { 200: { description: 'The row', schema: z.strictObject({ one: z.number() }) } },
  problems: [],
}).handle(async ({ context, caller }) => {
  arrived += 1;
  const { rows } = await context.store.query<{ one: number }>('SELECT 1 AS one');
  served.push(caller.subject);
  return { status: 200, body: rows[0]! };
});

beforeAll(async () => {
  database = await createDatabase();
  store = openDatabase(database.url, { max: 1 });
  api = await startTestApi({ store, operations: [readOne] });
});

afterAll(async () => {
  await api?.close();
  await store?.end();
  await database?.drop();
});

it('the API serves a request of one caller before most of another caller whose requests came first', async () => {
  const ask = async (sub: string) =>
    (await api.request('GET', '/one', { token: await api.issuer.sign({ sub }) })).status;
  const asked = await store.onOneConnection(async () => {
    const flood = Array.from({ length: FLOOD }, () => ask('flood'));
    await vi.waitFor(() => expect(arrived).toBe(FLOOD), { timeout: 20_000 });
    const single = ask('single');
    await vi.waitFor(() => expect(arrived).toBe(FLOOD + 1), { timeout: 20_000 });
    return [...flood, single];
  });
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  expect(served.indexOf('single')).toBeLessThan(3);
});
