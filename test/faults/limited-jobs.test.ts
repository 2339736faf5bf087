/**
 * Limits of jobs while processes that poll, complete, and fail jobs are killed at random. A trigger writes down every lease, and
 * its end: what was leased at once, and in any window, is added up from that, without what the product counts.
 *
 * `npm run limits-proof` takes ten processes for ten minutes. `LIMITS_SECONDS` and `LIMITS_PROCESSES` change it.
 */
import { beforeAll, expect, it, vi } from 'vitest';
import { putLimit, type LimitSettings } from '../../store/work/limits/limits.js';
import { began, commitStep, jobCreated, projectID, start, useStore } from '../store/support/store.js';
import { killAtRandom } from './support/kill-at-random.js';
import { averageLeased, logLeases, mostAtOnce, mostInAnyWindow, readLeases, type Lease } from './support/leases.js';

const seconds = Number(process.env['LIMITS_SECONDS'] || 10);
const processes = Number(process.env['LIMITS_PROCESSES'] || 3);
/** On a machine with other work, usage says more about that work than about limits. */
const isLong = seconds >= 60;
vi.setConfig({ testTimeout: (seconds + 180) * 1_000, hookTimeout: 300_000 });

const store = useStore();

interface LimitedType extends LimitSettings {
  taskType: string;
  keys: number;
  /** How long a process works on a job. */
  holdMs: number;
}

const types: readonly LimitedType[] = [
  { taskType: 'concurrent', keys: 6, holdMs: 1_000, concurrent: 2 },
  { taskType: 'rate', keys: 6, holdMs: 5, rate: { count: 5, perMilliseconds: 1_000 } },
  { taskType: 'both', keys: 3, holdMs: 50, concurrent: 2, rate: { count: 8, perMilliseconds: 2_000 } },
  // More places than the processes use, so that keys take turns. Without a pause it would take all cores, and the usage of the
  // other types would be that of the machine.
  { taskType: 'turns', keys: 8, holdMs: 500, concurrent: 1_000 },
];
/** Jobs of each key that wait at least, more than are leased between two looks; the first key has ten times as many. */
const MIN_WAITING = isLong ? 100 : 20;

const keyOf = (place: number) => `key-${place}`;

async function addJobs(taskType: string, limitKey: string, count: number): Promise<void> {
  const workflowID = await start(store);
  const created = Array.from({ length: count }, (_, n) =>
    jobCreated(2 + 2 * n, taskType, { limitKey, retries: 1_000_000 }),
  );
  await commitStep(store, workflowID, 1, [...began, ...created.flat()]);
}

/** Adds jobs wherever few wait, so that work waits at all times. */
async function fill(): Promise<void> {
  for (const { taskType, keys } of types)
    for (let place = 0; place < keys; place += 1) {
      const wanted = MIN_WAITING * (place === 0 ? 10 : 1);
      const { rows } = await store.database.query<{ waiting: number }>(
        `SELECT count(*)::integer AS waiting FROM jobs WHERE project_id = $1 AND task_type = $2 AND status = 'PENDING'
           AND ending_command IS NULL AND limit_key = $3`,
        [projectID, taskType, JSON.stringify(keyOf(place))],
      );
      if (rows[0]!.waiting < wanted) await addJobs(taskType, keyOf(place), wanted);
    }
}

async function servedKeys(): Promise<number> {
  const { rows } = await store.database.query<{ keys: number }>(
    'SELECT count(DISTINCT (task_type, limit_key))::integer AS keys FROM lease_log',
  );
  return rows[0]!.keys;
}

beforeAll(async () => {
  for (const { taskType, keys: _keys, holdMs: _holdMs, ...settings } of types)
    await putLimit(store.database, { projectID, taskType, actor: 'ada', ...settings });
  await fill();
  await logLeases(store.database);
});

function byKey(leases: readonly Lease[], taskType: string): Lease[][] {
  const ofType = leases.filter((lease) => lease.taskType === taskType);
  return [...new Set(ofType.map(({ key }) => key))].map((key) => ofType.filter((lease) => lease.key === key));
}

it('limits hold at any moment whatever is killed, are used, and give every key its turn', async () => {
  const polled = JSON.stringify(types.map(({ taskType, holdMs }) => ({ taskType, holdMs })));
  const given = [store.databaseUrl, projectID, polled];
  const kills = await killAtRandom({ script: 'limited-worker.mjs', given, processes, seconds }, async () => {
    await fill();
    return (await servedKeys()) === types.reduce((sum, { keys }) => sum + keys, 0);
  });
  const leases = await readLeases(store.database);
  const [begun, ended] = leases.reduce(
    ([first, last], { from }) => [Math.min(first, from), Math.max(last, from)],
    [Infinity, -Infinity],
  );
  const told = [
    `${kills} kills, ${leases.length} leases by ${new Set(leases.map(({ client }) => client)).size} processes`,
  ];
  for (const { taskType, keys, concurrent, rate } of types) {
    const ofKeys = byKey(leases, taskType);
    expect(ofKeys, taskType).toHaveLength(keys);
    for (const ofKey of ofKeys) {
      if (concurrent !== undefined) expect(mostAtOnce(ofKey), taskType).toBeLessThanOrEqual(concurrent);
      if (rate) expect(mostInAnyWindow(ofKey, rate.perMilliseconds), taskType).toBeLessThanOrEqual(rate.count);
    }
    told.push(`${taskType}: ${ofKeys.map((ofKey) => ofKey.length).join(', ')} leases by key`);
  }
  // The first seconds pass until the processes have started.
  const [from, places] = [begun + 10_000, 6 * 2];
  if (isLong) {
    const concurrent = leases.filter(({ taskType }) => taskType === 'concurrent');
    const rated = leases.filter(
      ({ taskType, leasedAt }) => taskType === 'rate' && leasedAt >= from && leasedAt < ended,
    );
    const usage = [averageLeased(concurrent, from, ended) / places, rated.length / ((ended - from) / 1_000) / (6 * 5)];
    told.push(`used: ${usage.map((share) => `${(share * 100).toFixed(1)} %`).join(' of places, ')} of the rate`);
    for (const share of usage) expect(share).toBeGreaterThanOrEqual(0.95);
    const turns = byKey(leases, 'turns').map((ofKey) => ofKey.length);
    expect(Math.max(...turns) / Math.min(...turns)).toBeLessThan(1.5);
  }
  process.stdout.write(`${told.join('\n')}\n`);
});
