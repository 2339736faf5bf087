/** Perdure behind poolers: it starts only where each connection is a separate session. */
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStores } from '../../host/postgres.js';
import { Notifications } from '../../store/notifications.js';
import { createEmptyDatabase, type TestDatabase } from '../support/infrastructure.js';
import { startPooler, type Pooler, type PoolerOptions } from './support/pooler.js';

const logger = pino({ level: 'silent' });

let database: TestDatabase;
let pooler: Pooler | undefined;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  await pooler?.close();
  pooler = undefined;
  await database.drop();
});

const open = async (options: PoolerOptions) => {
  pooler = await startPooler(database.url, options);
  return openStores(pooler.url, 8, { logger, stopping: new AbortController().signal });
};

async function tables(): Promise<number | null> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rowCount } = await client.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
  await client.end();
  return rowCount;
}

describe('a host behind a pooler', () => {
  it.each([2, 5])(
    'in transaction mode with %d connections does not start, says why, and has changed nothing',
    async (size) => {
      await expect(open({ mode: 'transaction', size })).rejects.toThrow(
        /^Database \w+ on 127\.0\.0\.1:\d+ cannot be used: a setting made in one transaction is gone in the next one of the same connection\. A connection pooler in transaction mode is in between\. Set DATABASE_URL to Postgres itself, or to a pooler in session mode/,
      );
      expect(await tables()).toBe(0);
    },
  );

  it('in session mode that drops the settings of connections does not start, and says why', async () => {
    await expect(open({ mode: 'session', size: 5, passesSettings: false })).rejects.toThrow(
      /lock_timeout was set to 54321 when the connection was opened, and is 0\. A connection pooler drops the settings/,
    );
    expect(await tables()).toBe(0);
  });

  it('in session mode starts, and hears what others announce', async () => {
    const stores = await open({ mode: 'session', size: 8 });
    const notifications = await Notifications.open(stores.requests, pooler!.url);
    const heard = new Promise((resolve) => void notifications.hear('perdure_test' as never, resolve));
    await stores.background.query('SELECT 1');
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await expect
      .poll(
        async () =>
          (
            await other.query(
              "SELECT FROM pg_stat_activity WHERE query LIKE '%LISTEN perdure_test%' AND pid <> pg_backend_pid()",
            )
          ).rowCount,
      )
      .toBe(1);
    await other.query("NOTIFY perdure_test, 'rung'");
    expect(await heard).toBe('rung');
    await other.end();
    await notifications.close();
    await stores.end();
  });
});
