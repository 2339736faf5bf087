import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isTransient } from '../../api/http/failures.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';
import { createDatabase, type TestDatabase } from '../support/infrastructure.js';

/** With one connection, statements end in the order of turns, however slow Postgres is. */
const CONNECTIONS = 1;

let database: TestDatabase;
let store: PooledDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

beforeEach(() => {
  store = openDatabase(database.url, { max: CONNECTIONS });
  return () => store.end();
});

afterAll(() => database?.drop());

/** Statements of a caller, whose ends are noted in `ends`. */
async function ask(caller: string, count: number, ends: string[]): Promise<void> {
  const own = store.of(caller);
  await Promise.all(Array.from({ length: count }, () => own.query('SELECT 1').then(() => ends.push(caller))));
}

describe('callers of one database', () => {
  it('are served before most statements of a caller with many', async () => {
    const ends: string[] = [];
    const all = await store.of('holder').transaction(async () => [
      // In a list, because a transaction waits for what it returns.
      Promise.all([ask('many', 500, ends), ask('few', 3, ends), ask('other', 2, ends)]),
    ]);
    await Promise.all(all);
    expect(ends).toHaveLength(505);
    const rounds = ['many', 'few', 'other', 'many', 'few', 'other', 'many', 'few', 'many', 'many'];
    expect(ends.slice(0, rounds.length)).toEqual(rounds);
  });

  it('are served when they come back before the rest of a caller with many', async () => {
    const ends: string[] = [];
    const many = ask('many', 500, ends);
    for (let count = 0; count < 10; count += 1) await ask('few', 1, ends);
    expect(ends.filter((caller) => caller === 'many').length).toBeLessThan(30);
    await many;
  });

  it('have their own transactions served in the order of arrival', async () => {
    const ends: number[] = [];
    const own = store.of('caller');
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const [all] = await own.transaction(async () => [
      numbers.map((number) => own.transaction(async () => void ends.push(number))),
    ]);
    await Promise.all(all!);
    expect(ends).toEqual(numbers);
  });

  it('use all connections of a small pool, and never more', async () => {
    const two = openDatabase(database.url, { max: 2, application_name: 'two' });
    const own = two.of('caller');
    const inside: string[] = [];
    const leave: (() => void)[] = [];
    const stay = (name: string) =>
      own.transaction(() => {
        inside.push(name);
        return new Promise<void>((resolve) => leave.push(resolve));
      });
    const stays = [stay('first'), stay('second'), stay('third')];
    await expect.poll(() => inside.length).toBe(2);
    const { rows } = await store.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = 'two'",
    );
    expect(rows).toEqual([{ count: 2 }]);
    leave[0]!();
    await expect.poll(() => inside.at(-1)).toBe('third');
    leave[1]!();
    leave[2]!();
    await Promise.all(stays);
    await two.end();
  });

  it('are served while all statements of another caller wait for a lock', async () => {
    const eight = openDatabase(database.url, { max: 8, connectionTimeoutMillis: 60_000 });
    const key = 7;
    const locked = () => eight.of('locked').transaction((own) => own.query('SELECT pg_advisory_xact_lock($1)', [key]));
    const waiting: Promise<unknown>[] = [];
    await store.transaction(async (holder) => {
      await holder.query('SELECT pg_advisory_xact_lock($1)', [key]);
      waiting.push(...Array.from({ length: 20 }, locked));
      const ends: string[] = [];
      for (const caller of ['one', 'another'])
        await eight
          .of(caller)
          .query('SELECT 1')
          .then(() => ends.push(caller));
      expect(ends).toEqual(['one', 'another']);
    });
    await Promise.all(waiting);
    await eight.end();
  });

  it('stop waiting after the time that the pool allows, as if Postgres were down', async () => {
    const impatient = openDatabase(database.url, { max: 1, connectionTimeoutMillis: 1_000 });
    const own = impatient.of('caller');
    try {
      await own.transaction(async () => {
        const refusal: unknown = await own.query('SELECT 1').catch((error: unknown) => error);
        expect(refusal).toMatchObject({ message: 'timeout exceeded when trying to connect' });
        expect(isTransient(refusal)).toBe(true);
      });
      expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await impatient.end();
    }
  });

  it('are served after statements that fail and transactions that are rolled back', async () => {
    const own = store.of('caller');
    for (let count = 0; count < 3 * CONNECTIONS; count += 1) {
      await expect(own.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
      const work = own.transaction(async (transaction) => transaction.query('SELECT no_column'));
      await expect(work).rejects.toThrow('no_column');
    }
    const ends: string[] = [];
    await ask('caller', 3 * CONNECTIONS, ends);
    expect(ends).toHaveLength(3 * CONNECTIONS);
  });

  it('are served after connections that break', async () => {
    const own = store.of('caller');
    for (let count = 0; count < 3 * CONNECTIONS; count += 1) {
      await expect(own.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
    }
    expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('are refused one after the other by a Postgres that is down', async () => {
    const away = openDatabase('postgres://127.0.0.1:1/none', { max: 1 });
    const own = away.of('caller');
    const attempts = Array.from({ length: 5 }, () => own.query('SELECT 1'));
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'ECONNREFUSED' } });
    }
    await away.end();
  });

  it('announce to the same waiters', async () => {
    const heard: string[] = [];
    store.waiters.add(({ payload }) => void heard.push(payload));
    store.of('first').announce([{ channel: 'perdure_result', payload: '1' }]);
    await store
      .of('second')
      .transaction(async (transaction) => transaction.announce([{ channel: 'perdure_result', payload: '2' }]));
    store.announce([{ channel: 'perdure_result', payload: '3' }]);
    expect(heard).toEqual(['1', '2', '3']);
  });
});
