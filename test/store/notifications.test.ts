import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { Notifications } from '../../store/notifications.js';
import { jobsKey } from '../../store/sql/announcements.js';
import { began, commitStep, projectID, start, startWithJob, submit, useStore } from './support/store.js';
import type { Database } from '../../store/sql/database.js';
import { openDatabase } from '../support/database.js';

const store = useStore();

const listeners = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'";

async function withNotifications(
  work: (notifications: Notifications) => Promise<void>,
  onChange?: (connected: boolean) => void,
): Promise<void> {
  const notifications = await Notifications.open(store.database, store.databaseUrl, onChange);
  try {
    await work(notifications);
  } finally {
    await notifications.close();
  }
}

const applied = { inputs: { now: 1, lastCommand: 1 }, outcomes: [{ number: 1, status: 'APPLIED' as const }] };

describe('waiting for the outcome of a command', () => {
  it('ends when a step commit writes it', () =>
    withNotifications(async (notifications) => {
      const workflowID = await start(store);
      await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} }, true);
      const outcome = notifications.awaitOutcome(store.database, workflowID, 1, 20_000);
      await commitStep(store, workflowID, 1, began, applied);
      expect(await outcome).toEqual({ number: 1, status: 'APPLIED' });
      expect(await notifications.awaitOutcome(store.database, workflowID, 1, 20_000)).toEqual({
        number: 1,
        status: 'APPLIED',
      });
    }));

  it('reads nothing when a new command has just been applied, and its message when there is one', () =>
    withNotifications(async (notifications) => {
      const read = vi.spyOn(store.database, 'query');
      const reads = () =>
        read.mock.calls.filter(([statement]) => (statement as { name?: string }).name === 'read outcome').length;
      const workflowID = await start(store);
      await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} }, true);
      const silent = notifications.awaitOutcome(store.database, workflowID, 1, 20_000, true);
      await commitStep(store, workflowID, 1, began, applied);
      expect(await silent).toEqual({ number: 1, status: 'APPLIED' });
      const readsOfSilent = reads();
      await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} }, true);
      const telling = notifications.awaitOutcome(store.database, workflowID, 2, 20_000, true);
      await commitStep(store, workflowID, 2, [], {
        inputs: { now: 2, lastCommand: 2 },
        outcomes: [{ number: 2, status: 'APPLIED', message: 'and more' }],
      });
      expect(await telling).toEqual({ number: 2, status: 'APPLIED', message: 'and more' });
      expect(reads()).toBeGreaterThan(readsOfSilent);
    }));

  it('ends without one when the time is over', () =>
    withNotifications(async (notifications) => {
      const workflowID = await start(store);
      await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} }, true);
      expect(await notifications.awaitOutcome(store.database, workflowID, 1, 0)).toBeUndefined();
      expect(await notifications.awaitOutcome(store.database, workflowID, 1, 20)).toBeUndefined();
    }));

  it('ends without one when its client has disconnected', () =>
    withNotifications(async (notifications) => {
      const workflowID = await start(store);
      await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} }, true);
      const client = new AbortController();
      const outcome = notifications.awaitOutcome(store.database, workflowID, 1, 3_600_000, true, client.signal);
      client.abort();
      expect(await outcome).toBeUndefined();
    }));

  it('finds work without an announcement', () =>
    withNotifications(async (notifications) => {
      const workflowID = await start(store);
      await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} }, false);
      const outcome = notifications.awaitOutcome(store.database, workflowID, 1, 20_000);
      await commitStep(store, workflowID, 1, began, applied);
      expect(await outcome).toMatchObject({ status: 'APPLIED' });
    }));
});

describe('the listening connection', () => {
  it('is shared by all waiters, and is restored after it was cut', async () => {
    const changes: boolean[] = [];
    await withNotifications(
      async (notifications) => {
        const { rows } = await store.database.query<{ pid: number }>(listeners);
        expect(rows).toHaveLength(1);
        await store.database.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
        const polling = notifications.pollJobs(
          store.database,
          {
            projectID,
            clientID: 'w',
            types: [{ taskType: 'after-the-cut', lockDurationMilliseconds: 1_000 }],
            maxJobs: 1,
          },
          20_000,
        );
        await expect.poll(() => changes, { timeout: 20_000 }).toEqual([true, false, true]);
        const workflowID = await startWithJob(store, 'after-the-cut');
        expect(await polling).toMatchObject([{ workflowID }]);
      },
      (connected) => changes.push(connected),
    );
    expect((await store.database.query(listeners)).rows).toEqual([]);
  });

  it('that cannot be opened leaves everything to polling', async () => {
    const unreachable = new URL(store.databaseUrl);
    unreachable.pathname = '/no-such-database';
    const pool = openDatabase(store.databaseUrl);
    const notifications = await Notifications.open(pool, unreachable.href);
    try {
      const polling = notifications.pollJobs(
        pool,
        { projectID, clientID: 'w', types: [{ taskType: 'deaf', lockDurationMilliseconds: 1_000 }], maxJobs: 1 },
        20_000,
      );
      const workflowID = await startWithJob(store, 'deaf');
      expect(await polling).toMatchObject([{ workflowID }]);
    } finally {
      await notifications.close();
      await pool.end();
    }
  });
});

describe('new jobs', () => {
  const poll = (notifications: Notifications, pool: Database, taskType: string) =>
    notifications.pollJobs(
      pool,
      { projectID, clientID: 'w', types: [{ taskType, lockDurationMilliseconds: 1_000 }], maxJobs: 1 },
      20_000,
    );

  it('are announced to other processes only while job workers poll for them there', () =>
    withNotifications(async (here) => {
      const url = `${store.databaseUrl}?application_name=elsewhere`;
      const pool = openDatabase(url);
      const elsewhere = await Notifications.open(pool, url);
      const listener = new pg.Client({ connectionString: store.databaseUrl });
      await listener.connect();
      const heard: string[] = [];
      listener.on('notification', ({ payload }) => heard.push(payload!.split(' ')[0]!));
      await listener.query('LISTEN perdure_jobs');
      try {
        await startWithJob(store, 'polled-nowhere');
        const polledHere = poll(here, store.database, 'polled-here');
        await startWithJob(store, 'polled-here');
        expect(await polledHere).toHaveLength(1);
        const polledElsewhere = poll(elsewhere, pool, 'polled-elsewhere');
        const key = jobsKey(projectID, 'polled-elsewhere');
        await expect.poll(() => here.demand.isPolledElsewhere(key), { timeout: 20_000 }).toBe(true);
        await startWithJob(store, 'polled-elsewhere');
        expect(await polledElsewhere).toHaveLength(1);
        await expect.poll(() => heard, { timeout: 20_000 }).toEqual([key]);
      } finally {
        await listener.end();
        await elsewhere.close();
        await pool.end();
      }
    }));
});

describe('a chore of the outbox relay', () => {
  const matching = {};
  const starts = {};
  const opened: Fact[] = [
    ...began,
    { kind: 'SUBSCRIPTION_OPENED', subscription: 2, element: 1, node: 'n', type: 'signal', name: 'stop' },
  ];

  it('is woken by what an instance leaves to it, also when it was busy in the meantime', () =>
    withNotifications(async (notifications) => {
      await notifications.waitForOutbox('matching', 20_000, matching);
      const woken = notifications.waitForOutbox('matching', 20_000, matching);
      await commitStep(store, await start(store), 1, opened);
      await expect(woken).resolves.toBeUndefined();
      await commitStep(store, await start(store), 1, opened);
      await expect(notifications.waitForOutbox('matching', 20_000, matching)).resolves.toBeUndefined();
    }));

  it('is not woken by what another chore does', () =>
    withNotifications(async (notifications) => {
      const woken = vi.fn();
      const stopping = new AbortController();
      await notifications.waitForOutbox('starts', 20_000, starts);
      const waiting = notifications.waitForOutbox('starts', 20_000, starts, stopping.signal).then(woken);
      await notifications.waitForOutbox('matching', 20_000, matching);
      const toMatch = notifications.waitForOutbox('matching', 20_000, matching);
      await commitStep(store, await start(store), 1, opened);
      await toMatch;
      expect(woken).not.toHaveBeenCalled();
      stopping.abort();
      await waiting;
    }));

  it('looks by itself after the given time', () =>
    withNotifications(async (notifications) => {
      await notifications.waitForOutbox('matching', 20_000, matching);
      await expect(notifications.waitForOutbox('matching', 10, matching)).resolves.toBeUndefined();
    }));
});
