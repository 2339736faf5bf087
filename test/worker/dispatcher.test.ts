import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startDispatcher } from '../../worker/dispatcher.js';
import { createDatabase, type TestDatabase } from '../support/infrastructure.js';

let database: TestDatabase;
let store: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  store = new pg.Pool({ connectionString: database.url });
});
afterAll(async () => {
  await store?.end();
  await database?.drop();
});

it('a command that Temporal does not take is due again soon, however long it has waited', async () => {
  await store.query(
    `INSERT INTO commands (workflow_id, number, body, awaited, created_at, deliver_at)
     SELECT 'patient', n, '{"kind":"CANCEL_INSTANCE"}', false, now() - interval '1 hour', now() FROM generate_series(1, 2) n`,
  );
  const signal = vi.fn().mockRejectedValue(new Error('Temporal is away'));
  const notifications = { waitForOutbox: () => delay(20) };
  const dispatcher = startDispatcher({ store, notifications: notifications as never, instances: { signal } as never, logger: pino({ level: 'silent' }) });
  await vi.waitFor(() => expect(signal).toHaveBeenCalled(), { timeout: 30_000 });
  await dispatcher.stop();
  await vi.waitFor(async () => {
    const { rows } = await store.query("SELECT number FROM commands WHERE workflow_id = 'patient' AND deliver_at < now() + interval '1 minute'");
    expect(rows).toEqual([{ number: 1 }, { number: 2 }]);
  });
});
