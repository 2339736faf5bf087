import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { PooledDatabase } from '../../store/connections/pooled-database.js';
import { createPool, openStores, type Stores } from '../../host/postgres.js';
import { createEmptyDatabase, type TestDatabase } from '../support/infrastructure.js';

const logger = pino({ level: 'silent' });
const CONNECTIONS = 16;

let database: TestDatabase;
let stores: Stores;
let store: PooledDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  stores = await openStores(database.url, CONNECTIONS, { logger, stopping: new AbortController().signal });
  store = stores.requests;
});
afterEach(() => stores.end());

it('a connection that breaks while it is referenced, and nothing is asked of it, fails the next query and nothing else', async () => {
  const referenced = store.transaction(async (transaction) => {
    const { rows } = await transaction.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { pid } = rows[0]!;
    await store.query('SELECT pg_terminate_backend($1)', [pid]);
    await vi.waitFor(
      async () => expect((await store.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount).toBe(0),
      { timeout: 10_000 },
    );
    await transaction.query('SELECT 1');
  });
  await expect(referenced).rejects.toThrow();
  expect((await store.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('a pool whose connections all wait leaves those of the other pools free, and all of them keep to the number that is set', async () => {
  const { requests, steps, background } = stores;
  expect(
    [requests, steps, background].map(({ maxConnections }) => maxConnections).reduce((sum, max) => sum + max),
  ).toBe(CONNECTIONS);
  let held = 0;
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const holders = Array.from({ length: requests.maxConnections }, () =>
    requests.onOneConnection(() => {
      held += 1;
      return released;
    }),
  );
  await vi.waitFor(() => expect(held).toBe(requests.maxConnections), { timeout: 10_000 });
  expect((await steps.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect((await background.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  release();
  await Promise.all(holders);
});

it.each(['requests', 'steps', 'background'] as const)(
  'statements of the pool for %s are given up by Postgres, and so are waits for locks and transactions that do nothing',
  async (kind) => {
    const limit = async (name: string) =>
      Number((await stores[kind].query('SELECT setting FROM pg_settings WHERE name = $1', [name])).rows[0]!.setting);
    const [lock, statement, idle] = await Promise.all(
      ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'].map(limit),
    );
    expect(lock).toBeGreaterThan(0);
    expect(statement).toBeGreaterThan(lock!);
    expect(idle).toBeGreaterThan(0);
  },
);

it('a lock that is never released fails the transaction that waits for it, which leaves nothing running', async () => {
  const pool = new PooledDatabase(
    createPool(database.url, 2, { connection: 1_000, lock: 50, statement: 5_000 }, logger),
  );
  await store.onOneConnection(async (holder) => {
    await holder.query('SELECT pg_advisory_lock(1)');
    const waiting = pool.transaction((transaction) => transaction.query('SELECT pg_advisory_xact_lock(1)'));
    await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    const { rows } = await store.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'",
    );
    expect(rows).toEqual([]);
    await holder.query('SELECT pg_advisory_unlock(1)');
  });
  await pool.end();
});

it('a Postgres that stops answering in the middle fails what is asked of it, and is used again when it answers', async () => {
  const proxy = await openProxy(database.url);
  const pool = new PooledDatabase(createPool(proxy.url, 2, { connection: 200, lock: 50, statement: 100 }, logger));
  await pool.query('SELECT 1');
  proxy.hang();
  await expect(pool.query('SELECT 1')).rejects.toThrow('Query read timeout');
  await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
  proxy.answer();
  const hanging = pool.transaction(async (transaction) => {
    proxy.hang();
    await transaction.query('SELECT 1');
  });
  // Postgres may have ended the idle transaction before the driver gives up.
  await expect(hanging).rejects.toThrow(/Query read timeout|Connection terminated/);
  proxy.answer();
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
  proxy.close();
});

/** A proxy in front of Postgres that can withhold everything. */
async function openProxy(databaseUrl: string): Promise<{ url: string; hang(): void; answer(): void; close(): void }> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let hanging = false;
  const server: Server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => hanging || to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    hang: () => void (hanging = true),
    answer: () => void (hanging = false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
