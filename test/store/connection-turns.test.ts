import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { Pool } from 'pg';
import { isTransient } from '../../api/http/failures.js';
import { recentStatistics } from '../../api/operations/statistics/shared/recent.js';
import { ensureProject } from '../../store/projects/projects.js';
import { inTransaction } from '../../store/sql/database.js';
import { ConnectionTurns, sharedPool } from '../../store/turns/connection-turns.js';
import { createDatabase, type TestDatabase } from '../support/infrastructure.js';

/** With one connection, statements end in the order of turns, however slow Postgres is. */
const CONNECTIONS = 1;

let database: TestDatabase;
let pool: Pool;
let turns: ConnectionTurns;

beforeAll(async () => {
  database = await createDatabase();
});

beforeEach(() => {
  pool = new pg.Pool({ connectionString: database.url, max: CONNECTIONS });
  pool.on('error', () => undefined);
  turns = new ConnectionTurns(pool);
  return () => pool.end();
});

afterAll(() => database?.drop());

/** Statements of a caller, whose ends are noted in `ends`. */
async function ask(caller: string, count: number, ends: string[]): Promise<void> {
  const store = turns.poolOf(caller);
  await Promise.all(Array.from({ length: count }, () => store.query('SELECT 1').then(() => ends.push(caller))));
}

describe('turns at connections', () => {
  it('serve a caller with few statements before most of a caller with many', async () => {
    const only = await turns.poolOf('holder').connect();
    const ends: string[] = [];
    const all = [ask('many', 500, ends), ask('few', 3, ends), ask('other', 2, ends)];
    only.release();
    await Promise.all(all);
    expect(ends).toHaveLength(505);
    const rounds = ['many', 'few', 'other', 'many', 'few', 'other', 'many', 'few', 'many', 'many'];
    expect(ends.slice(0, rounds.length)).toEqual(rounds);
  });

  it('serve a caller that comes back before the rest of a caller with many', async () => {
    const ends: string[] = [];
    const many = ask('many', 500, ends);
    for (let count = 0; count < 10; count += 1) await ask('few', 1, ends);
    expect(ends.filter((caller) => caller === 'many').length).toBeLessThan(30);
    await many;
  });

  it('serve the statements of one caller in the order of arrival', async () => {
    const only = await turns.poolOf('holder').connect();
    const ends: number[] = [];
    const store = turns.poolOf('caller');
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const all = numbers.map(async (number) => {
      const client = await store.connect();
      ends.push(number);
      client.release();
    });
    only.release();
    await Promise.all(all);
    expect(ends).toEqual(numbers);
  });

  it('use all connections, and never more', async () => {
    const two = new pg.Pool({ connectionString: database.url, max: 2 });
    const store = new ConnectionTurns(two).poolOf('caller');
    const clients = await Promise.all([store.connect(), store.connect()]);
    const third = store.connect();
    expect([two.totalCount, two.waitingCount]).toEqual([2, 0]);
    clients[0].release();
    const client = await third;
    expect(client).toBe(clients[0]);
    client.release();
    clients[1].release();
    await two.end();
  });

  it('end for a waiting caller after the time that the pool allows, as if Postgres were away', async () => {
    const impatient = new pg.Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 50 });
    const store = new ConnectionTurns(impatient).poolOf('caller');
    try {
      const client = await store.connect();
      const refusal: unknown = await store.query('SELECT 1').catch((error: unknown) => error);
      expect(refusal).toMatchObject({ message: 'timeout exceeded when trying to connect' });
      expect(isTransient(refusal)).toBe(true);
      client.release();
      expect((await store.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await impatient.end();
    }
  });

  it('go on after statements that fail and transactions that are rolled back', async () => {
    const store = turns.poolOf('caller');
    for (let count = 0; count < 3 * CONNECTIONS; count += 1) {
      await expect(store.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
      const work = inTransaction(store, async (transaction) => transaction.query('SELECT no_column'));
      await expect(work).rejects.toThrow('no_column');
    }
    const ends: string[] = [];
    await ask('caller', 3 * CONNECTIONS, ends);
    expect(ends).toHaveLength(3 * CONNECTIONS);
  });

  it('go on after connections that break', async () => {
    const store = turns.poolOf('caller');
    for (let count = 0; count < 3 * CONNECTIONS; count += 1) {
      await expect(store.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
    }
    expect((await store.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('go on after attempts to reach a Postgres that is away', async () => {
    const away = new pg.Pool({ host: '127.0.0.1', port: 1, max: 1 });
    const store = new ConnectionTurns(away).poolOf('caller');
    const attempts = Array.from({ length: 5 }, () => store.query('SELECT 1'));
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'ECONNREFUSED' } });
    }
    await away.end();
  });

  it('leave caches and announcements to the pool, so that callers share them', async () => {
    const [first, second] = [turns.poolOf('first'), turns.poolOf('second')];
    expect([first, second, pool].map(sharedPool)).toEqual([pool, pool, pool]);
    await ensureProject(pool, 'shared');
    const read = recentStatistics(first, 'shared');
    expect(recentStatistics(second, 'shared')).toBe(read);
    await read;
  });

  it('leave a connection that was released twice to its next holder', async () => {
    const client = await turns.poolOf('caller').connect();
    client.release();
    expect(() => client.release()).toThrow('already been released');
    const ends: string[] = [];
    await ask('caller', 10, ends);
    expect(ends).toHaveLength(10);
  });
});
