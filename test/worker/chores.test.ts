import { expect, it, vi } from 'vitest';
import { createLogger } from '../../telemetry/logger.js';
import type { Chore, RunResult } from '../../background/chore.js';
import { startChores } from '../../background/driver.js';
import { workerChores } from '../../worker/chores/worker-chores.js';
import { projectID, start, useStore, valueOf } from '../store/support/store.js';
import type { Database } from '../../store/sql/database.js';
import { openDatabase } from '../support/database.js';

const store = useStore();
const silent = createLogger('silent');
/** For a busy machine. */
const patience = { timeout: 30_000, interval: 5 };

function choresOf(pool: Database): Chore[] {
  return workerChores({
    store: pool,
    notifications: { waitForOutbox: () => Promise.resolve() } as never,
    client: {} as never,
    taskQueue: 'none',
    instances: {} as never,
    logger: silent,
    onExpired: () => {},
    onMissed: () => {},
    history: {
      defaultMilliseconds: 86_400_000,
      audit: { defaultMilliseconds: undefined, minimumMilliseconds: 0 },
      onRemoved: () => {},
    },
  }).map((chore) => ({ ...chore, after: 0 }));
}

/** The chores of a worker, with another work. */
function recorded(work: (name: string, runs: number) => Promise<RunResult>): {
  chores: Chore[];
  runs: Map<string, number>;
} {
  const runs = new Map<string, number>();
  const chores = choresOf(store.database).map((chore) => ({
    ...chore,
    wait: undefined,
    every: 1,
    run: () => {
      runs.set(chore.name, (runs.get(chore.name) ?? 0) + 1);
      return work(chore.name, runs.get(chore.name)!);
    },
  }));
  return { chores, runs };
}

it('chores have different names, which are labels of metrics', () => {
  const names = choresOf(store.database).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z_]+$/);
});

it.each(choresOf({} as Database).map(({ name }) => name))('run on while %s throws each time', async (failing) => {
  const { chores, runs } = recorded(async (name) => {
    if (name === failing) throw new Error('no');
    return 'done';
  });
  const driver = startChores({ chores, logger: silent });
  await vi.waitFor(() => {
    for (const { name } of chores) expect(runs.get(name), name).toBeGreaterThan(name === failing ? 0 : 2);
  }, patience);
  await driver.stop();
  const failed = driver.status().filter(({ failures }) => failures > 0);
  expect(failed.map(({ name }) => name)).toEqual([failing]);
});

it('chores continue while one that shares lanes hangs, and another one always has more to do', async () => {
  let release!: () => void;
  const released = new Promise<RunResult>((resolve) => (release = () => resolve('done')));
  const { chores, runs } = recorded(async (name) => {
    if (name === 'idempotency_keys') return released;
    return name === 'ended_instances' ? 'more' : 'done';
  });
  const driver = startChores({ chores, logger: silent });
  await vi.waitFor(() => {
    for (const { name } of chores) expect(runs.get(name), name).toBeGreaterThan(name === 'idempotency_keys' ? 0 : 2);
  }, patience);
  release();
  await driver.stop();
});

it('chores leave a lane to the others, however many of them hang each time until they fail', async () => {
  const hanging = ['idempotency_keys', 'job_workers', 'dead_letters', 'ended_instances'];
  const pending = new Map<string, (error: Error) => void>();
  const { chores, runs } = recorded((name, nth) => {
    if (!hanging.includes(name)) return Promise.resolve('done');
    // The first run fails at once: from then on it is known to fail.
    if (nth === 1) return Promise.reject(new Error('statement timeout'));
    return new Promise((_, reject) => pending.set(name, reject));
  });
  const driver = startChores({ chores, logger: silent });
  await vi.waitFor(() => expect(pending.size).toBe(1), patience);
  const before = new Map(runs);
  await vi.waitFor(() => {
    for (const { name } of chores)
      if (!hanging.includes(name)) expect(runs.get(name), name).toBeGreaterThan((before.get(name) ?? 0) + 2);
  }, patience);
  expect(pending.size).toBe(1);
  const stopped = driver.stop();
  for (const reject of pending.values()) reject(new Error('the end'));
  await stopped;
});

it('chores do their work while the statement of another waits until its timeout', async () => {
  const impatient = openDatabase(store.databaseUrl, { max: 8, statement_timeout: 500 });
  const blocker = await store.pool.connect();
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  await store.database.query(
    "INSERT INTO job_workers (project_id, task_type, client_id, last_seen_at) VALUES ('p', 't', 'old', now() - interval '2 days')",
  );
  const workflowID = await start(store);
  await store.database.query(
    "UPDATE instances SET status = 'COMPLETED', completed_at = now() - interval '2 days' WHERE workflow_id = $1",
    [workflowID],
  );
  await blocker.query('BEGIN; LOCK TABLE idempotency_keys, signal_payloads, audit_entries IN ACCESS EXCLUSIVE MODE');
  const chores = choresOf(impatient).filter(({ prompt }) => !prompt);
  const driver = startChores({ chores, logger });
  try {
    await vi.waitFor(async () => {
      expect(await valueOf(store, 'SELECT count(*)::int AS value FROM job_workers')).toBe(0);
      expect(
        await valueOf(store, 'SELECT count(*)::int AS value FROM instances WHERE project_id = $1', [projectID]),
      ).toBe(0);
    }, patience);
    await vi.waitFor(() => {
      for (const name of ['idempotency_keys', 'signal_payloads', 'audit_entries'])
        expect(lines.some((line) => line.includes(name) && line.includes('statement timeout'))).toBe(true);
    }, patience);
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
    await driver.stop();
    await impatient.end();
  }
});

it('outlive a store that is down, say so, and stop when told', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  const chores = choresOf(away).map((chore) => ({ ...chore, wait: undefined }));
  const driver = startChores({ chores, logger });
  await vi.waitFor(() => {
    for (const { name } of chores) expect(lines.join(), name).toContain(`"chore":"${name}"`);
  }, patience);
  expect(lines.join()).toContain('background chore failed; retrying');
  await driver.stop();
  await away.end();
});
