/** Limits under many polls at once, of several processes, and when one of them is gone in the middle. */
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { PooledDatabase } from '../../store/connections/pooled-database.js';
import { Notifications } from '../../store/notifications.js';
import { rows, type Database } from '../../store/sql/database.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import { StoreClient } from '../../store/sql/store-client.js';
import { completeJob } from '../../store/work/job-ends.js';
import { pollJobs, type HandedOutJob } from '../../store/work/job-queue.js';
import { deleteLimit, putLimit, type LimitSettings } from '../../store/work/limits/limits.js';
import { began, commitStep, jobCreated, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();

const limit = (taskType: string, settings: LimitSettings) =>
  putLimit(store.database, { projectID, taskType, actor: 'ada', ...settings });

/** Jobs of one instance: `count` of each key. */
async function jobsOf(taskType: string, keys: readonly string[], count: number): Promise<void> {
  const workflowID = await start(store);
  const created = keys.flatMap((limitKey, place) =>
    Array.from({ length: count }, (_, n) => jobCreated(2 + 2 * (place * count + n), taskType, { limitKey })),
  );
  await commitStep(store, workflowID, 1, [...began, ...created.flat()]);
}

/** A database with connections of its process. */
async function withPools<T>(count: number, work: (databases: PooledDatabase[]) => Promise<T>): Promise<T> {
  const pools = Array.from(
    { length: count },
    () => new pg.Pool({ connectionString: store.databaseUrl, max: 8, Client: StoreClient }),
  );
  try {
    return await work(pools.map((pool) => new PooledDatabase(pool)));
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}

const requestOf = (taskType: string, maxJobs = 1, clientID = 'w', lockDurationMilliseconds = 60_000) => ({
  projectID,
  clientID,
  types: [{ taskType, lockDurationMilliseconds }],
  maxJobs,
});

function complete(database: Database, job: HandedOutJob) {
  const key = parseExecutionKey(job.executionKey)!;
  return completeJob(database, { projectID, ...key, clientID: 'w', awaited: false });
}

const mostLeased = `SELECT coalesce(max(leased), 0)::integer AS value FROM (
  SELECT count(*) AS leased FROM jobs WHERE task_type = $1 AND status = 'PENDING' AND ending_command IS NULL AND lock_expires_at > now()
  GROUP BY limit_group) of_keys`;

describe('polls of several processes', () => {
  it('never lease more jobs of a key than are allowed at once, and give every key its turn', async () => {
    await limit('race', { concurrent: 2 });
    const keys = ['a', 'b', 'c'];
    await jobsOf('race', keys, 40);
    const taken: HandedOutJob[] = [];
    let most = 0;
    await withPools(3, async (databases) => {
      const worker = async (database: Database, place: number) => {
        while (taken.length < 60) {
          const leased = await pollJobs(database, requestOf('race', 1 + (place % 3)));
          taken.push(...leased);
          most = Math.max(most, await valueOf<number>(store, mostLeased, ['race']));
          for (const job of leased) await complete(database, job);
        }
      };
      await Promise.all([...databases, ...databases, ...databases].map(worker));
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    expect(new Set(taken.map(({ executionKey }) => executionKey)).size).toBe(taken.length);
    const found = await rows<{ leased: number }>(
      store.database,
      "SELECT count(*)::integer AS leased FROM jobs WHERE task_type = 'race' AND lease > 0 GROUP BY limit_group",
      [],
    );
    const leased = found.map((one) => one.leased);
    expect(leased).toHaveLength(3);
    expect(Math.max(...leased) - Math.min(...leased)).toBeLessThanOrEqual(4);
  });

  it('lease at most the rate in any window, and no less than it allows', async () => {
    const [count, perMilliseconds] = [10, 400];
    await limit('window', { rate: { count, perMilliseconds } });
    await jobsOf('window', ['a'], 200);
    let leased = 0;
    await withPools(3, async (databases) => {
      const worker = async (database: Database, place: number) => {
        while (leased < 3 * count) {
          const { length } = await pollJobs(database, requestOf('window', 1 + place));
          leased += length;
        }
      };
      await Promise.all([...databases, ...databases].map(worker));
    });
    const leases = await leaseTimes('window');
    expect(mostInAnyWindow(leases, perMilliseconds)).toBe(count);
    expect(leases.length).toBeGreaterThanOrEqual(3 * count);
  });

  it('hold a limit that is set, changed, and removed while they lease', async () => {
    await jobsOf('switch', ['a'], 300);
    let isOver = false;
    await withPools(2, async (databases) => {
      const worker = async (database: Database) => {
        while (!isOver) await pollJobs(database, requestOf('switch', 1));
      };
      const working = Promise.all([...databases, ...databases].map(worker));
      for (let round = 0; round < 5; round += 1) {
        await limit('switch', { concurrent: 1 });
        const held = await countLeased('switch');
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(await countLeased('switch')).toBeLessThanOrEqual(Math.max(1, held));
        await deleteLimit(store.database, projectID, 'switch');
        await expect.poll(() => countLeased('switch'), { interval: 5 }).toBeGreaterThan(Math.max(1, held));
      }
      isOver = true;
      await working;
    });
  });

  it('lease what a transaction had taken that was aborted', async () => {
    await limit('aborted', { concurrent: 1, rate: { count: 1, perMilliseconds: 3_600_000 } });
    await jobsOf('aborted', ['a'], 2);
    const dying = store.database.transaction(async (transaction) => {
      expect(await pollJobs(transaction, requestOf('aborted'))).toHaveLength(1);
      await transaction.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await expect(dying).rejects.toThrow();
    expect(await pollJobs(store.database, requestOf('aborted', 10))).toHaveLength(1);
    expect(await pollJobs(store.database, requestOf('aborted', 10))).toEqual([]);
  });
});

describe('a waiting poll', () => {
  it('gets a place as soon as a lease ends', () =>
    withNotifications(async (notifications) => {
      await limit('handover', { concurrent: 1 });
      await jobsOf('handover', ['a'], 20);
      let [held] = await pollJobs(store.database, requestOf('handover'));
      for (let turn = 1; turn < 20; turn += 1) {
        const next = notifications.pollJobs(store.database, requestOf('handover'), 10_000);
        await new Promise((resolve) => setTimeout(resolve, 20));
        await complete(store.database, held!);
        [held] = await next;
        expect(held).toBeDefined();
      }
    }));

  it('is woken when the window opens, and when a lease expires', () =>
    withNotifications(async (notifications) => {
      await limit('opens', { rate: { count: 1, perMilliseconds: 150 } });
      await jobsOf('opens', ['a'], 10);
      const begun = performance.now();
      for (let turn = 0; turn < 5; turn += 1)
        expect(await notifications.pollJobs(store.database, requestOf('opens'), 10_000)).toHaveLength(1);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(4 * 150);
      await limit('expires', { concurrent: 1 });
      await jobsOf('expires', ['a'], 2);
      for (let turn = 0; turn < 4; turn += 1)
        expect(await notifications.pollJobs(store.database, requestOf('expires', 1, 'w', 150), 10_000)).toHaveLength(1);
    }));
});

/** Its waits end only when something wakes them, without the regular polling. */
async function withNotifications(work: (notifications: Notifications) => Promise<void>): Promise<void> {
  const ticking = vi.spyOn(globalThis, 'setInterval').mockReturnValue(undefined as unknown as NodeJS.Timeout);
  const notifications = await Notifications.open(store.database, store.databaseUrl).finally(() =>
    ticking.mockRestore(),
  );
  try {
    await work(notifications);
  } finally {
    await notifications.close();
  }
}

const countLeased = (taskType: string) =>
  valueOf<number>(store, 'SELECT count(*)::integer AS value FROM jobs WHERE task_type = $1 AND lease > 0', [taskType]);

/** In milliseconds, in order. */
async function leaseTimes(taskType: string): Promise<number[]> {
  const found = await rows<{ at: number }>(
    store.database,
    'SELECT extract(epoch FROM leased_at)::float8 * 1000 AS at FROM jobs WHERE task_type = $1 AND lease > 0 ORDER BY leased_at',
    [taskType],
  );
  return found.map(({ at }) => at);
}

/** The oracle: every window that ends with a lease. */
function mostInAnyWindow(leases: readonly number[], perMilliseconds: number): number {
  return Math.max(...leases.map((end) => leases.filter((at) => at > end - perMilliseconds && at <= end).length));
}
