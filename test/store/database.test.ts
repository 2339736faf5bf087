import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inLazyTransaction } from '../../store/connections/lazy-transaction.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import type { Announcement } from '../../store/sql/announcements.js';
import type { Database, Queryable, Transaction } from '../../store/sql/database.js';
import { alone } from '../../worker/chores/alone.js';
import { eventually } from '../support/eventually.js';
import { openDatabase } from '../support/database.js';
import { createDatabase, type TestDatabase } from '../support/infrastructure.js';

/** Any number that no other advisory lock of the database has. */
const LOCK = 4711;

let place: TestDatabase;
let database: PooledDatabase;
/** Announcements that waiters of this process have received. */
let heard: string[];

beforeAll(async () => {
  place = await createDatabase();
  database = openDatabase(place.url, { max: 3 });
  database.waiters.add(({ payload }) => void heard.push(payload));
  await database.query('CREATE TABLE notes (text text)');
});
beforeEach(async () => {
  heard = [];
  await database.query('TRUNCATE notes');
});
afterAll(async () => {
  await database?.end();
  await place?.drop();
});

const write = (store: Queryable, text: string) => store.query('INSERT INTO notes (text) VALUES ($1)', [text]);
const news = (payload: string): Announcement[] => [{ channel: 'perdure_result', payload }];

async function notes(): Promise<string[]> {
  return (await database.query<{ text: string }>('SELECT text FROM notes ORDER BY text')).rows.map(({ text }) => text);
}

/** Runs work in a transaction that is committed. */
type InTransaction = (work: (transaction: Transaction) => Promise<unknown>) => Promise<unknown>;

const kinds: [string, InTransaction][] = [
  ['a transaction', (work) => database.transaction(work)],
  ['a transaction of a caller', (work) => database.of('caller').transaction(work)],
  ['a transaction inside another one', (work) => database.transaction((outer) => outer.transaction(work))],
  ['a transaction that begins lazily', (work) => inLazyTransaction(database, work, async () => true)],
  [
    'a transaction inside one that begins lazily',
    (work) =>
      inLazyTransaction(
        database,
        (outer) => outer.transaction(work),
        async () => true,
      ),
  ],
];

describe.each(kinds)('%s', (_name, inTransaction) => {
  it('keeps its changes to itself until it is committed', async () => {
    await inTransaction(async (transaction) => {
      await write(transaction, 'one');
      expect(await notes()).toEqual([]);
    });
    expect(await notes()).toEqual(['one']);
  });

  it('leaves nothing when its work throws', async () => {
    const work = inTransaction(async (transaction) => {
      await write(transaction, 'one');
      transaction.announce(news('one'));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect([await notes(), heard]).toEqual([[], []]);
  });

  it('announces after the commit only', async () => {
    await inTransaction(async (transaction) => {
      await write(transaction, 'one');
      transaction.announce(news('first'));
      transaction.announce(news('second'));
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual(['first', 'second']);
  });

  it('contains a transaction that fails alone, with its announcements', async () => {
    await inTransaction(async (transaction) => {
      await write(transaction, 'before');
      const failing = transaction.transaction(async (inner) => {
        await write(inner, 'inside');
        inner.announce(news('inside'));
        await inner.query('SELECT 1 / 0');
      });
      await expect(failing).rejects.toThrow('division by zero');
      await transaction.transaction(async (inner) => {
        await write(inner, 'next');
        inner.announce(news('next'));
      });
      await write(transaction, 'after');
    });
    expect(await notes()).toEqual(['after', 'before', 'next']);
    expect(heard).toEqual(['next']);
  });

  it('takes back what an inner transaction has done when it fails later', async () => {
    const work = inTransaction(async (transaction) => {
      await transaction.transaction(async (inner) => {
        await write(inner, 'inside');
        inner.announce(news('inside'));
      });
      throw new Error('later');
    });
    await expect(work).rejects.toThrow('later');
    expect([await notes(), heard]).toEqual([[], []]);
  });

  it('refuses a second inner transaction next to an open one', async () => {
    await inTransaction(async (transaction) => {
      await transaction.transaction(async () => {
        await expect(transaction.transaction(async () => undefined)).rejects.toThrow('one inner transaction at a time');
      });
    });
  });

  it('refuses options for an inner transaction', async () => {
    await inTransaction(async (transaction) => {
      const snapshot = transaction.transaction(async () => undefined, { isSnapshot: true });
      await expect(snapshot).rejects.toThrow('cannot have options');
    });
  });
});

describe('a transaction on a connection of a pool', () => {
  it('fails when a statement in it failed and its work continued', async () => {
    const work = database.transaction(async (transaction) => {
      await write(transaction, 'one');
      transaction.announce(news('one'));
      await transaction.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(work).rejects.toThrow('rolled back, because a statement in it had failed');
    expect([await notes(), heard]).toEqual([[], []]);
  });

  it('refuses statements after its end', async () => {
    let ended: Transaction | undefined;
    await database.transaction(async (transaction) => void (ended = transaction));
    await expect(ended!.query('SELECT 1')).rejects.toThrow('has ended');
  });

  it('sees one moment and cannot write if it is a snapshot', async () => {
    await database
      .transaction(
        async (snapshot) => {
          const count = async () => (await snapshot.query('SELECT FROM notes')).rowCount;
          expect(await count()).toBe(0);
          await write(database, 'meanwhile');
          expect(await count()).toBe(0);
          await expect(write(snapshot, 'one')).rejects.toThrow('read-only transaction');
          throw new Error('enough');
        },
        { isSnapshot: true },
      )
      .catch((error: Error) => expect(error.message).toBe('enough'));
  });

  it('has its statements canceled by Postgres after the time that is set', async () => {
    const work = database.transaction((transaction) => transaction.query('SELECT pg_sleep(60)'), {
      statementTimeoutMilliseconds: 20,
    });
    await expect(work).rejects.toMatchObject({ code: '57014' });
  });
});

describe('a transaction that begins lazily', () => {
  it('takes no connection for work without statements', async () => {
    const away: Database = openDatabase('postgres://127.0.0.1:1/none');
    expect(
      await inLazyTransaction(
        away,
        async () => 'done',
        async () => true,
      ),
    ).toBe('done');
  });

  it('makes its announcements even if it has no statement', async () => {
    await inLazyTransaction(
      database,
      async (transaction) => transaction.announce(news('one')),
      async () => true,
    );
    expect(heard).toEqual(['one']);
  });

  it('is rolled back, without announcements, if its result is not to be kept', async () => {
    const result = await inLazyTransaction(
      database,
      async (transaction) => {
        await write(transaction, 'one');
        transaction.announce(news('one'));
        return 'refused';
      },
      async (transaction, found) => {
        await write(transaction, 'two');
        return found !== 'refused';
      },
    );
    expect([result, await notes(), heard]).toEqual(['refused', [], []]);
  });

  it('fails with the error of Postgres when no connection can be made', async () => {
    const away = openDatabase('postgres://127.0.0.1:1/none');
    const work = inLazyTransaction(
      away,
      (transaction) => transaction.query('SELECT 1'),
      async () => true,
    );
    await expect(work).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

it('a time that is infinite is read as null, in statements of every kind', async () => {
  const text =
    "SELECT 'infinity'::timestamptz AS never, '-infinity'::timestamptz AS always, timestamptz '2026-01-01Z' AS then";
  const expected = { never: null, always: null, then: new Date('2026-01-01T00:00:00Z') };
  const stored = openDatabase(place.url, { max: 1 });
  for (const query of [text, { text, name: 'infinite times' }])
    expect((await stored.query(query as string)).rows).toEqual([expected]);
  expect(await stored.transaction(async (transaction) => (await transaction.query(text)).rows)).toEqual([expected]);
  await stored.end();
});

describe('an announcement', () => {
  it('reaches other processes only with the part that waiters of this process leave', async () => {
    const here = openDatabase(place.url, { max: 1 });
    here.waiters.add(({ channel, payload }) =>
      payload === 'taken' ? undefined : { channel, payload: `rest of ${payload}` },
    );
    const elsewhere = new pg.Client({ connectionString: place.url });
    const received: (string | undefined)[] = [];
    elsewhere.on('notification', ({ payload }) => received.push(payload));
    await elsewhere.connect();
    await elsewhere.query('LISTEN perdure_result');
    here.announce([...news('taken'), ...news('shared')]);
    await expect.poll(() => received).toEqual(['rest of shared']);
    await elsewhere.end();
    await here.end();
  });
});

describe('work on one connection', () => {
  it('closes a connection that did not answer in time, so that no lock stays behind in the pool', async () => {
    const impatient = openDatabase(place.url, { max: 1, query_timeout: 1_000 });
    const pidOf = async () => (await impatient.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
    const run = (on: PooledDatabase) =>
      alone(
        on,
        LOCK,
        async () => 'done',
        () => undefined,
      );
    const pid = await pidOf();
    // As in a machine that is suspended: Postgres reads the statement after the driver has given up.
    process.kill(pid, 'SIGSTOP');
    await expect(run(impatient)).rejects.toThrow('Query read timeout');
    process.kill(pid, 'SIGCONT');
    expect(await pidOf()).not.toBe(pid);
    await eventually(
      () => run(database),
      (result) => result === 'done',
    );
    await impatient.end();
  });

  it('keeps a connection whose work has ended', async () => {
    const single = openDatabase(place.url, { max: 1 });
    const pidOf = (on: Queryable) => on.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const [first, second] = [await single.onOneConnection(pidOf), await single.onOneConnection(pidOf)];
    expect(second.rows).toEqual(first.rows);
    await single.end();
  });
});
