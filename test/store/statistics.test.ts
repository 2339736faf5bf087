/**
 * The fold of histories into statistics against an oracle that reads whole histories. `STATISTICS_HISTORIES` sets how
 * many, 1,000 unless said.
 */
import type { Pool, PoolClient } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { findUnfolded, foldNext, rebuildStatistics } from '../../store/statistics/fold.js';
import { readProcessStatistics } from '../../store/statistics/process-statistics.js';
import { readProjectStatistics } from '../../store/statistics/project-statistics.js';
import { DAY, HOUR } from '../../store/statistics/range.js';
import { counters } from '../../store/statistics/rows.js';
import { Sketch } from '../../store/statistics/sketch.js';
import { listInstances } from '../../store/instances/lists.js';
import { eraseInstance } from '../../store/retention/erase.js';
import { deleteBehindRemoved, removeEndedInstances } from '../../store/retention/retention.js';
import { deleteProject, ensureProject } from '../../store/projects/projects.js';
import { ensureTestProject, testProjectOf } from '../../store/projects/tests.js';
import { rows } from '../../store/sql/database.js';
import { Random } from '../engine/random/random.js';
import { seedsFrom } from '../engine/random/seeds.js';
import { playModel, writeHistories, type History } from './support/random-histories.js';
import { exactQuantile, keyOf, tell, type Told } from './support/statistics-oracle.js';
import {
  began,
  commitStep,
  deploy,
  foldAll,
  jobCreated,
  projectID,
  start,
  useStore,
  valueOf,
} from './support/store.js';

const store = useStore();

const HISTORIES_AT_ONCE = 1_000;
const seeds = seedsFrom(
  [],
  Math.ceil(Number(process.env['STATISTICS_HISTORIES'] ?? HISTORIES_AT_ONCE) / HISTORIES_AT_ONCE),
);

interface Row {
  definitionID: string;
  processID: string;
  version: number;
  node_id: string;
  unit: string;
  time: Date;
  durations: Buffer | null;
  [counter: string]: unknown;
}

/** All sums, by hour or by day. */
async function sums(unit: 'hour' | 'day'): Promise<Row[]> {
  return rows<Row>(
    store.pool,
    `SELECT d.id AS "definitionID", d.process_id AS "processID", s.* FROM statistics s
     JOIN definitions d ON d.project_id = s.project_id AND d.process_id = s.process_id AND d.version = s.version
     WHERE unit = $1 ORDER BY s.project_id, s.process_id, s.version, s.node_id, s.time`,
    [unit],
  );
}

function countsOf(found: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of found)
    for (const counter of counters) {
      const count = Number(row[counter]);
      if (count !== 0) counts.set(keyOf(row.definitionID, row.node_id, row.time.getTime(), counter), count);
    }
  return counts;
}

function sorted(map: ReadonlyMap<string, number>): [string, number][] {
  return [...map].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** The same by day. */
function byDay(counts: ReadonlyMap<string, number>): Map<string, number> {
  const days = new Map<string, number>();
  for (const [key, count] of counts) {
    const [definitionID, nodeID, time, counter] = JSON.parse(key) as [string, string, number, string];
    const day = keyOf(definitionID, nodeID, Math.floor(time / DAY) * DAY, counter);
    days.set(day, (days.get(day) ?? 0) + count);
  }
  return days;
}

async function expectEqual(told: Told): Promise<void> {
  const hours = await sums('hour');
  expect(sorted(countsOf(hours))).toEqual(sorted(told.counts));
  expect(sorted(countsOf(await sums('day')))).toEqual(sorted(byDay(told.counts)));
  expectQuantiles(hours, told);
}

/** Of each node over all hours, so that merged sketches are compared. */
function expectQuantiles(hours: readonly Row[], { durations }: Told): void {
  const merged = new Map<string, Sketch>();
  for (const { definitionID, node_id, durations: bytes } of hours) {
    if (!bytes) continue;
    const key = JSON.stringify([definitionID, node_id]);
    merged.set(key, (merged.get(key) ?? new Sketch()).merge(Sketch.decode(bytes)));
  }
  expect([...merged.keys()].toSorted()).toEqual([...durations.keys()].toSorted());
  for (const [key, values] of durations)
    for (const fraction of [0.01, 0.5, 0.95, 1]) {
      const exact = exactQuantile(
        values.map(({ ms }) => ms),
        fraction,
      )!;
      expect(Math.abs(merged.get(key)!.quantile(fraction)! - exact), key).toBeLessThanOrEqual(0.05 * exact);
    }
}

/** A pool whose connection the server ends at query number `fatal` of a transaction. */
function dyingPool(pool: Pool, fatal: number): Pool {
  return {
    async connect() {
      const client = await pool.connect();
      client.on('error', () => undefined);
      let queries = 0;
      const query = async (...given: [string, unknown[]]) => {
        queries += 1;
        if (queries === fatal)
          await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
        return client.query(...given);
      };
      return { query, release: (error?: Error) => client.release(error ?? true) } as unknown as PoolClient;
    },
  } as unknown as Pool;
}

describe('the fold of histories', () => {
  beforeEach(async () => {
    for (const table of ['instances', 'steps', 'statistics', 'folded_instances', 'steps_to_fold', 'target_dues'])
      await store.pool.query(`DELETE FROM ${table}`);
  });

  it.each(seeds)(
    'matches an oracle that reads whole histories, across broken connections and concurrent folds (RANDOM_SEED=%i)',
    { timeout: 240_000 },
    async (seed) => {
      const random = new Random(seed);
      const histories: History[] = [];
      for (let model = 0; model < 30; model += 1) histories.push(...(await playModel(store, random, 40)));
      expect(histories.length).toBeGreaterThan(HISTORIES_AT_ONCE);
      let died = 0;
      await writeHistories(store, histories, random, async () => {
        if (!random.chance(0.01)) return;
        const fatal = 1 + random.below(14);
        const folds = [foldNext(store.pool), foldNext(store.pool), foldNext(dyingPool(store.pool, fatal))];
        died += (await Promise.allSettled(folds)).filter(({ status }) => status === 'rejected').length;
        if (random.chance(0.1)) await findUnfolded(store.pool);
      });
      await foldAll(store);
      expect(died).toBeGreaterThan(0);
      await expectEqual(tell(histories));

      const before = await valueOf<string>(
        store,
        'SELECT md5(string_agg(s::text, $1 ORDER BY s::text)) AS value FROM statistics s',
        ['\n'],
      );
      await rebuildStatistics(store.pool);
      await foldAll(store);
      expect(
        await valueOf(store, 'SELECT md5(string_agg(s::text, $1 ORDER BY s::text)) AS value FROM statistics s', ['\n']),
      ).toBe(before);
    },
  );

  it('takes an instance of many steps in several turns', async () => {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, began);
    const facts: Fact[] = [
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 },
      { kind: 'ELEMENT_COMPLETED', element: 2 },
    ];
    await store.pool.query(
      `INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts)
       SELECT $1, n, 0, 0, '{"now":5}', $2::json FROM generate_series(2, 1201) n`,
      [workflowID, JSON.stringify(facts)],
    );
    await store.pool.query('UPDATE instances SET park_count = 1201 WHERE workflow_id = $1', [workflowID]);
    expect(await foldNext(store.pool)).toMatchObject({ steps: 500, hasMore: true });
    await foldAll(store);
    const completed = await valueOf(
      store,
      "SELECT sum(completed)::int AS value FROM statistics WHERE unit = 'hour' AND node_id = 'task'",
    );
    expect(completed).toBe(1200);
  });

  it('does not count tests of drafts', async () => {
    await ensureTestProject(store.pool, projectID);
    const workflowID = await start(store, { project: testProjectOf(projectID) });
    await commitStep(store, workflowID, 1, began);
    await foldAll(store);
    expect(await sums('hour')).toEqual([]);
  });
});

const completed: Fact[] = [
  { kind: 'JOB_COMPLETED', job: 3 },
  { kind: 'ELEMENT_COMPLETED', element: 2 },
  { kind: 'INSTANCE_COMPLETED' },
];
const now = Date.parse('2026-03-04T05:06:07Z');
const range = { since: Date.parse('2026-03-04T00:00:00Z'), until: Date.parse('2026-03-05T00:00:00Z') };

/** An instance of a process that started at `now` and completed its job 10 minutes later. */
async function completedInstance(processID: string): Promise<string> {
  const { definitionID } = await deploy(store, processID);
  const workflowID = await start(store, { definitionID });
  const at = (ms: number) => ({ inputs: { now: now + ms, lastCommand: 0 } });
  await commitStep(store, workflowID, 1, [...began, ...jobCreated()], at(0));
  await store.pool.query(
    "UPDATE jobs SET first_handed_out_at = created_at + interval '4 minutes' WHERE workflow_id = $1",
    [workflowID],
  );
  await commitStep(store, workflowID, 2, completed, at(600_000));
  return workflowID;
}

async function completedCount(processID: string): Promise<number> {
  const found = await readProcessStatistics(store.pool, { projectID, processID, range, step: 'day' });
  return found?.series.reduce((sum, step) => sum + step.completed, 0) ?? 0;
}

describe('statistics of a process', () => {
  it('tell the hours, the nodes, and how long a job waited and was worked on', async () => {
    await completedInstance('told');
    await foldAll(store);
    const found = await readProcessStatistics(store.pool, { projectID, processID: 'told', range, step: 'hour' });
    expect(found!.series).toHaveLength(24);
    const hour = found!.series.find(({ time }) => time === now - (now % HOUR))!;
    expect(hour).toMatchObject({ started: 1, completed: 1, failed: 0, canceled: 0, incidents: 0 });
    expect(Math.abs(hour.durations.quantile(0.5)! - 600_000)).toBeLessThan(30_000);
    const [task] = found!.nodes;
    expect(task).toMatchObject({ nodeID: 'task', version: 1, started: 1, completed: 1 });
    expect(Math.abs(task!.waiting.quantile(0.95)! - 240_000)).toBeLessThan(12_000);
    expect(Math.abs(task!.working.quantile(0.95)! - 360_000)).toBeLessThan(18_000);
  });

  it('are those of one version if it is named', async () => {
    await completedInstance('versions');
    await completedInstance('versions');
    await foldAll(store);
    const query = { projectID, processID: 'versions', range, step: 'day' as const };
    expect((await readProcessStatistics(store.pool, query))!.series[0]).toMatchObject({ completed: 2 });
    expect((await readProcessStatistics(store.pool, { ...query, version: 2 }))!.series[0]).toMatchObject({
      completed: 1,
    });
  });

  it('stay when retention removes the instance, which it does not before they include it', async () => {
    const workflowID = await completedInstance('removed');
    await store.pool.query("UPDATE instances SET completed_at = now() - interval '1 hour' WHERE workflow_id = $1", [
      workflowID,
    ]);
    const remaining = () =>
      valueOf<number>(store, 'SELECT count(*)::int AS value FROM instances WHERE workflow_id = $1', [workflowID]);
    await removeEndedInstances(store.pool, 1000);
    expect(await remaining()).toBe(1);
    await foldAll(store);
    await removeEndedInstances(store.pool, 1000);
    while (await deleteBehindRemoved(store.pool));
    expect(await remaining()).toBe(0);
    expect(
      await valueOf(store, 'SELECT count(*)::int AS value FROM folded_instances WHERE workflow_id = $1', [workflowID]),
    ).toBe(0);
    expect(await completedCount('removed')).toBe(1);
  });

  it('include an instance that is erased before anything was folded', async () => {
    const workflowID = await completedInstance('erased');
    expect(await eraseInstance(store.pool, { projectID, workflowID })).toEqual({ kind: 'changed' });
    expect(await completedCount('erased')).toBe(1);
    await foldAll(store);
    expect(await completedCount('erased')).toBe(1);
  });

  it('say until when everything is counted', async () => {
    const asOf = async () =>
      (await readProcessStatistics(store.pool, {
        projectID,
        processID: 'current',
        range,
        step: 'day',
      }))!.asOf.getTime();
    await completedInstance('current');
    await foldAll(store);
    const before = await asOf();
    await completedInstance('current');
    const [{ committed }] = (await rows<{ committed: Date }>(store.pool, 'SELECT now() AS committed', [])) as [
      { committed: Date },
    ];
    expect(await asOf()).toBeLessThan(committed.getTime());
    await foldAll(store);
    expect(await asOf()).toBeGreaterThan(before);
    expect(await asOf()).toBeGreaterThanOrEqual(committed.getTime());
  });

  it('go with their project', async () => {
    await ensureProject(store.pool, 'gone');
    const { definitionID } = await deploy(store, 'gone', { project: 'gone' });
    const workflowID = await start(store, { project: 'gone', definitionID });
    await commitStep(store, workflowID, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    await foldAll(store);
    expect(await deleteProject(store.pool, 'gone')).toEqual({ kind: 'deleted' });
    await foldAll(store);
    expect(await valueOf(store, "SELECT count(*)::int AS value FROM statistics WHERE project_id = 'gone'")).toBe(0);
  });
});

describe('the numbers of a project', () => {
  it('count what is there now and what the last 24 hours brought', async () => {
    const { definitionID } = await deploy(store, 'numbers');
    const workflowID = await start(store, { definitionID });
    const time = { inputs: { now: Date.now(), lastCommand: 0 } };
    const before = await readProjectStatistics(store.pool, projectID);
    await commitStep(store, workflowID, 1, [...began, ...jobCreated()], time);
    await foldAll(store);
    const after = await readProjectStatistics(store.pool, projectID);
    expect(after.running).toBe(before.running);
    expect(after.pendingJobs).toBe(before.pendingJobs + 1);
    expect(after.oldestAvailableAt).toBeInstanceOf(Date);
    expect(after.last24Hours.started).toBeGreaterThan(0);
    expect(after.runningByAge).toHaveLength(4);
  });

  it('count instances over a current or former target as the list of instances does', async () => {
    const project = 'aims';
    const versions = [];
    for (const processID of ['aimed', 'aimed', 'late', 'free'])
      versions.push((await deploy(store, processID, { project })).definitionID);
    await store.pool.query(
      `INSERT INTO targets (project_id, process_id, node_id, since, until, duration_ms)
       SELECT $1, process, node, now() - since * interval '1 minute', now() - until * interval '1 minute', minutes * 60000
       FROM (VALUES ('aimed', '', 300, 200, 30), ('aimed', '', 150, 100, 120), ('aimed', '', 90, NULL, 45), ('aimed', 'task', 500, NULL, 1),
         ('late', '', 1000, 20, 200), ('late', '', 20, NULL, 60)) AS t(process, node, since, until, minutes)`,
      [project],
    );
    await store.pool.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, status, created_at, completed_at, variables)
       SELECT 'aim-' || n, $1, ($2::uuid[])[1 + n % 4], 'aim-' || n, CASE WHEN n % 3 = 0 THEN 'COMPLETED' ELSE 'RUNNING' END,
         now() - (400 - n) * interval '1 minute' - interval '1 second', CASE WHEN n % 3 = 0 THEN now() END, '{}'
       FROM generate_series(1, 400) n`,
      [project, versions],
    );
    const listed = await listInstances(
      store.pool,
      project,
      { status: ['RUNNING'], overTarget: true },
      { page: 1, pageSize: 1 },
    );
    expect(listed.total).toBeGreaterThan(50);
    expect((await readProjectStatistics(store.pool, project)).overTarget).toBe(listed.total);
  });

  it('count open, unassigned, and overdue tasks', async () => {
    const project = 'offices';
    await ensureProject(store.pool, project);
    await store.pool.query(
      `INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, status, assignee, candidate_users, candidate_groups, created_at, due_date)
       SELECT 'office-' || status || assignee || due, 3, $1, 2, 'approve', status, nullif(assignee, ''), '{}', '{}', now(), now() + due * interval '1 hour'
       FROM unnest(ARRAY['CREATED', 'COMPLETED']) status, unnest(ARRAY['', 'eda']) assignee, unnest(ARRAY[-2, -1, 1]) due`,
      [project],
    );
    const counts = { openTasks: 6, unassignedTasks: 3, overdueTasks: 4 };
    expect(await readProjectStatistics(store.pool, project)).toMatchObject(counts);
  });
});
