import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isTransient } from '../../api/http/failures.js';
import { repositoryRoot } from '../../dev/repository.js';
import { inLazyTransaction } from '../../store/connections/lazy-transaction.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { submitCommand, submitUnlessPaused } from '../../store/instances/submit-command.js';
import type { Database, Statement } from '../../store/sql/database.js';
import { sourceFiles } from '../../tools/structure/imports.js';
import { openDatabase } from '../support/database.js';
import { createDatabase, type TestDatabase } from '../support/infrastructure.js';

const CONNECTIONS = 4;
const LOCK = 'SELECT pg_advisory_xact_lock(1)';
const SECOND_LOCK = 'SELECT pg_advisory_xact_lock(2)';

let database: TestDatabase;
let store: PooledDatabase;
/** Holds and watches, with connections that are not those of the callers. */
let observer: PooledDatabase;

beforeAll(async () => {
  database = await createDatabase();
  observer = openDatabase(database.url, { max: 2 });
});

beforeEach(() => {
  store = openDatabase(database.url, {
    max: CONNECTIONS,
    application_name: 'callers',
    connectionTimeoutMillis: 10_000,
  });
  return () => store.end();
});

afterAll(async () => {
  await observer?.end();
  await database?.drop();
});

/** Runs `work` while the lock is taken, for which the statements of the instance `hot` wait. */
async function whileLocked<T>(work: () => Promise<T>, lock = LOCK): Promise<T> {
  return observer.transaction(async (transaction) => {
    await transaction.query(lock);
    return work();
  });
}

const lockOf = (instance: string): Statement => ({ text: LOCK, locks: instance });

async function waitingForLock(): Promise<number> {
  const { rows } = await observer.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = 'callers' AND wait_event_type = 'Lock'",
  );
  return rows[0]!.count;
}

describe('statements that lock the row of one instance', () => {
  it('wait at two connections, so other statements of the same caller and of others are answered', async () => {
    const all = await whileLocked(async () => {
      const locking = Array.from({ length: 20 }, () => store.of('many').query(lockOf('hot')));
      await expect.poll(waitingForLock).toBe(2);
      for (const caller of ['many', 'other']) await store.of(caller).query('SELECT 1');
      await store.of('other').transaction(async (transaction) => transaction.query('SELECT 1'));
      expect(await waitingForLock()).toBe(2);
      return [Promise.all(locking)];
    });
    expect(await all[0]).toHaveLength(20);
  });

  it('do not wait for those of another instance', async () => {
    const all = await whileLocked(async () => {
      const locking = Array.from({ length: 5 }, () => store.of('many').query(lockOf('hot')));
      await store.of('many').query({ text: 'SELECT 1', locks: 'other' });
      return [Promise.all(locking)];
    });
    await all[0];
  });

  it('run in turns of their callers', async () => {
    const ask = (caller: string, text: string) => store.of(caller).query({ text, locks: 'hot' });
    let isAnswered = false;
    const all = await whileLocked(async () => {
      const [atConnections, waiting] = await whileLocked(async () => {
        const first = [ask('many', LOCK), ask('many', LOCK)];
        const rest = Array.from({ length: 50 }, () => ask('many', SECOND_LOCK));
        void ask('operator', 'SELECT 1').then(() => (isAnswered = true));
        return [first, rest] as const;
      });
      await Promise.all(atConnections);
      // The next two of the many occupy both connections, and the operator comes after the first of them.
      await expect.poll(waitingForLock).toBe(2);
      expect(isAnswered).toBe(true);
      return waiting;
    }, SECOND_LOCK);
    expect(await Promise.all(all)).toHaveLength(50);
  });

  it('are refused after the time that the pool allows, as if Postgres were down', async () => {
    const impatient = openDatabase(database.url, { max: CONNECTIONS, connectionTimeoutMillis: 500 });
    const own = impatient.of('many');
    const all = await whileLocked(async () => {
      const locking = Array.from({ length: 4 }, () => own.query(lockOf('hot')).catch((error: unknown) => error));
      const refusals = await Promise.all(locking.slice(2));
      for (const refusal of refusals) expect(isTransient(refusal)).toBe(true);
      return [Promise.all(locking.slice(0, 2))];
    });
    for (const answer of (await all[0])!) expect(answer).not.toBeInstanceOf(Error);
    expect((await own.query({ text: 'SELECT 1 AS one', locks: 'hot' })).rows).toEqual([{ one: 1 }]);
    await impatient.end();
  });

  it('pass their turn on when they fail and when their connections break', async () => {
    const own = store.of('caller');
    for (let count = 0; count < 3; count += 1) {
      await expect(own.query({ text: 'SELECT 1 / 0', locks: 'hot' })).rejects.toThrow('division by zero');
      const broken = own.query({ text: 'SELECT pg_terminate_backend(pg_backend_pid())', locks: 'hot' });
      await expect(broken).rejects.toThrow();
    }
    expect((await own.query({ text: 'SELECT 1 AS one', locks: 'hot' })).rows).toEqual([{ one: 1 }]);
  });

  it('pass their turn on without a connection', async () => {
    const away = openDatabase('postgres://127.0.0.1:1/none', { max: 1 });
    const attempts = Array.from({ length: 5 }, () => away.of('caller').query({ text: 'SELECT 1', locks: 'hot' }));
    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'ECONNREFUSED' } });
    await away.end();
  });

  it('wait without a connection when a transaction begins with them', async () => {
    const all = await whileLocked(async () => {
      const locking = Array.from({ length: 10 }, () =>
        inLazyTransaction(
          store.of('many'),
          (transaction) => transaction.query(lockOf('hot')),
          async () => true,
        ),
      );
      await expect.poll(waitingForLock).toBe(2);
      await store.of('many').query('SELECT 1');
      expect(await waitingForLock()).toBe(2);
      return [Promise.all(locking)];
    });
    expect(await all[0]).toHaveLength(10);
  });
});

const request = { projectID: 'demo', workflowID: 'hot', awaited: false };
const writers: [string, (database: Database) => Promise<unknown>][] = [
  ['cancels the instance', (given) => submitCommand(given, { ...request, body: { kind: 'CANCEL_INSTANCE' } })],
  [
    'moves an instance unless it is paused',
    (given) => submitUnlessPaused(given, { ...request, body: { kind: 'RESOLVE_INCIDENT', incident: 1 } }),
  ],
];

it.each(writers)('a statement that %s names the instance whose row it locks', async (_, write) => {
  const locking: unknown[] = [];
  const given = {
    async query(statement: string | Statement) {
      if (typeof statement !== 'string' && statement.text.includes('FOR UPDATE')) locking.push(statement.locks);
      return { rows: [], rowCount: 0 };
    },
    announce: () => undefined,
    transaction: () => Promise.resolve(undefined),
  } as unknown as Database;
  await write(given);
  expect(locking).toEqual(['hot']);
});

it('each statement that asks whether an instance takes commands is one that names the instance', () => {
  const store = sourceFiles().filter((file) => file.startsWith('store/'));
  const counts = store.map((file) => {
    const source = readFileSync(join(repositoryRoot, file), 'utf8');
    const countOf = (text: string) => source.split(text).length - 1;
    return { file, asking: countOf('WHERE ${takesCommands}'), naming: countOf('(commandStatement(') };
  });
  const asking = counts.filter((count) => count.asking > 0);
  expect(asking.length).toBeGreaterThan(3);
  expect(asking.filter((count) => count.naming !== count.asking)).toEqual([]);
});
