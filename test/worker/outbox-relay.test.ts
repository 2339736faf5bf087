import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { outboxRelay, startOutboxRelay } from '../../worker/outbox-relay.js';
import { publicationsOf } from '../store/support/publications.js';
import { start, useStore } from '../store/support/store.js';
import { waitersToWake } from '../../store/steps/pause-waiters.js';
import { rows } from '../../store/sql/database.js';
import { createDatabase, type TestDatabase } from '../support/infrastructure.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';

const own = useStore();
let database: TestDatabase;
let store: PooledDatabase;
beforeAll(async () => {
  database = await createDatabase();
  store = openDatabase(database.url);
});
afterAll(async () => {
  await store?.end();
  await database?.drop();
});
afterEach(() => own.database.query('DELETE FROM pause_waiters'));

it('a command that Temporal does not take is due again soon, however long it has waited', async () => {
  await store.query(
    `INSERT INTO commands (workflow_id, project_id, number, body, awaited, created_at, deliver_at)
     SELECT 'patient', 'p', n, '{"kind":"CANCEL_INSTANCE"}', false, now() - interval '1 hour', now() FROM generate_series(1, 2) n`,
  );
  const signal = vi.fn().mockRejectedValue(new Error('Temporal is down'));
  const notifications = { waitForOutbox: () => delay(20) };
  const outboxRelay = startOutboxRelay({
    store,
    notifications: notifications as never,
    instances: { signal } as never,
    logger: pino({ level: 'silent' }),
  });
  await vi.waitFor(() => expect(signal).toHaveBeenCalled(), { timeout: 30_000 });
  await outboxRelay.stop();
  await vi.waitFor(
    async () => {
      const { rows } = await store.query(
        "SELECT number FROM commands WHERE workflow_id = 'patient' AND deliver_at < now() + interval '1 minute'",
      );
      expect(rows, 'the first; its commit returns the second').toEqual([{ number: 1 }]);
    },
    { timeout: 10_000 },
  );
});

it('an instance whose start Temporal refuses for good fails with the reason, and one that it refuses for now is offered again', async () => {
  const tooLarge = await start(own);
  const unlucky = await start(own);
  await own.database.query('UPDATE instance_starts SET deliver_at = now()');
  const refused = (code: number, message: string) =>
    Object.assign(new Error('Failed to start Workflow'), { cause: Object.assign(new Error(message), { code }) });
  const begin = vi.fn(({ workflowID }: { workflowID: string }) =>
    Promise.reject(
      workflowID === tooLarge ? refused(3, 'Blob data size exceeds limit.') : refused(14, 'connection refused'),
    ),
  );
  const outboxRelay = startOutboxRelay({
    store: own.database,
    notifications: { waitForOutbox: () => delay(20) } as never,
    instances: { start: begin, signal: vi.fn() } as never,
    logger: pino({ level: 'silent' }),
  });
  await vi.waitFor(() => expect(begin).toHaveBeenCalledTimes(2), { timeout: 30_000 });
  await outboxRelay.stop();
  const { rows } = await own.database.query(
    'SELECT workflow_id AS id, status, failure_reason AS reason FROM instances WHERE workflow_id = ANY($1)',
    [[tooLarge, unlucky]],
  );
  expect(rows.find(({ id }) => id === tooLarge)).toMatchObject({
    status: 'FAILED',
    reason: expect.stringContaining('exceeds limit'),
  });
  expect(rows.find(({ id }) => id === unlucky)).toMatchObject({ status: 'RUNNING', reason: null });
});

it('a message that was kept reaches a subscription that opens later in six statements and one transaction', async () => {
  const { waiting, send, matchAll, received } = publicationsOf(own);
  const id = await send({ name: 'early', correlation: 'k' });
  await matchAll();
  const workflowID = await waiting('early', 'k');
  const chores = outboxRelay({
    store: own.database,
    notifications: { waitForOutbox: () => delay(20) } as never,
    instances: { signal: vi.fn().mockResolvedValue(true) } as never,
    logger: pino({ level: 'silent' }),
  });
  const matching = chores.find(({ name }) => name === 'matching')!;
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await matching.run({ until: Infinity, stopping: new AbortController().signal });
  const names = query.mock.calls.map(([asked]) => {
    const { name, text } =
      typeof asked === 'string' ? { name: undefined, text: asked } : (asked as never as pg.QueryConfig);
    return name ?? text.trim().split(/\s+/, 2).join(' ');
  });
  query.mockRestore();
  expect(await received(workflowID)).toEqual([id]);
  expect(names.filter((name) => name !== 'announce')).toEqual([
    'WITH RECURSIVE',
    'BEGIN',
    'try to lock channel',
    'SELECT c.*,',
    'SELECT s.workflow_id',
    'SELECT p.id,',
    'give message',
    'COMMIT',
  ]);
});

async function waitingFor(blocker: string, count: number): Promise<void> {
  await own.database.query(
    `INSERT INTO pause_waiters (workflow_id, blocked_by) SELECT $1 || '-' || n, $1 FROM generate_series(1, $2) n`,
    [blocker, count],
  );
  await own.database.query('INSERT INTO resumptions (blocker) VALUES ($1)', [blocker]);
}

function wakes(wake: (workflowID: string) => Promise<void>) {
  const chores = outboxRelay({
    store: own.database,
    notifications: {} as never,
    instances: { wake } as never,
    logger: pino({ level: 'silent' }),
  });
  const chore = chores.find(({ name }) => name === 'wakes')!;
  return () => chore.run({ until: Infinity, stopping: new AbortController().signal });
}

it('an instance that cannot be woken is tried again, fails the run, and the others of its batch are woken once', async () => {
  await waitingFor('unlucky', 100);
  const wake = vi.fn(async (workflowID: string) => {
    if (workflowID === 'unlucky-50') throw new Error('exceeded workflow execution limit for signal events');
  });
  const run = wakes(wake);
  for (let times = 0; times < 3; times += 1) {
    await expect(run()).rejects.toThrow('exceeded workflow execution limit');
    expect(await run(), 'before it is due again').toBe('done');
    await own.database.query('UPDATE pause_waiters SET wake_at = now() WHERE wake_at IS NOT NULL');
  }
  const woken = wake.mock.calls.map(([workflowID]) => workflowID);
  expect(woken.filter((workflowID) => workflowID === 'unlucky-50')).toHaveLength(3);
  expect(woken).toHaveLength(99 + 3);
  expect(await rows(own.database, 'SELECT workflow_id AS id FROM pause_waiters', [])).toEqual([{ id: 'unlucky-50' }]);
});

it('instances that cannot be woken, however many, do not keep one that is due earlier from being woken', async () => {
  await own.database.query(
    `INSERT INTO pause_waiters (workflow_id, blocked_by, wake_at)
     SELECT 'failing-' || n, 'd', now() - interval '1 second' FROM generate_series(1, 100) n`,
  );
  await own.database.query(
    `INSERT INTO pause_waiters (workflow_id, blocked_by, wake_at) VALUES ('overdue', 'd', now() - interval '2 seconds')`,
  );
  expect((await waitersToWake(own.database, 100)).map(({ workflowID }) => workflowID)).toContain('overdue');
});

it('instances that three resumptions release are woken without a pause between the batches', async () => {
  for (const blocker of ['one', 'two', 'three']) await waitingFor(blocker, 40);
  const wake = vi.fn(async () => undefined);
  const run = wakes(wake);
  expect(await run()).toBe('more');
  expect(await run()).toBe('more');
  expect(wake).toHaveBeenCalledTimes(120);
  expect(await run()).toBe('done');
});
