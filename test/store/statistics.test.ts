/** The fold of histories into statistics, and what is read from them. */
import { describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { foldNext } from '../../store/statistics/fold.js';
import { readProcessStatistics } from '../../store/statistics/process-statistics.js';
import { readProjectStatistics } from '../../store/statistics/project-statistics.js';
import { AGES_HOURS } from '../../store/statistics/running-instances.js';
import { readProjectTrend } from '../../store/statistics/project-trend.js';
import { floorTo, HOUR } from '../../store/statistics/range.js';
import { Sketch } from '../../store/statistics/sketch.js';
import { listInstances } from '../../store/instances/lists.js';
import { eraseInstance } from '../../store/retention/erase.js';
import { deleteBehindRemoved, removeEndedInstances } from '../../store/retention/retention.js';
import { deleteProject, ensureProject } from '../../store/projects/projects.js';
import { ensureTestProject, testProjectOf } from '../../store/projects/tests.js';
import { rows } from '../../store/sql/database.js';
import { finishDeletion } from '../support/deleted-projects.js';
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

describe('the fold of histories', () => {
  it('takes an instance of many steps in several turns', async () => {
    await foldAll(store);
    const { definitionID } = await deploy(store, 'long');
    const workflowID = await start(store, { definitionID });
    await commitStep(store, workflowID, 1, began);
    const facts: Fact[] = [
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 },
      { kind: 'ELEMENT_COMPLETED', element: 2 },
    ];
    await store.database.query(
      `INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts)
       SELECT $1, n, 0, 0, '{"now":5}', $2::json FROM generate_series(2, 1201) n`,
      [workflowID, JSON.stringify(facts)],
    );
    await store.database.query('UPDATE instances SET step_count = 1201 WHERE workflow_id = $1', [workflowID]);
    expect(await foldNext(store.database)).toMatchObject({ steps: 500, hasMore: true });
    await foldAll(store);
    const completed = await valueOf(
      store,
      "SELECT sum(completed)::int AS value FROM statistics WHERE process_id = 'long' AND unit = 'hour' AND node_id = 'task'",
    );
    expect(completed).toBe(1200);
  });

  it('does not count tests of drafts', async () => {
    await ensureTestProject(store.database, projectID);
    const workflowID = await start(store, { project: testProjectOf(projectID) });
    await commitStep(store, workflowID, 1, began);
    await foldAll(store);
    expect(
      await valueOf(store, "SELECT count(*)::int AS value FROM statistics WHERE strpos(project_id, '~') > 0"),
    ).toBe(0);
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
  await store.database.query(
    "UPDATE jobs SET first_leased_at = created_at + interval '4 minutes' WHERE workflow_id = $1",
    [workflowID],
  );
  await commitStep(store, workflowID, 2, completed, at(600_000));
  return workflowID;
}

async function completedCount(processID: string): Promise<number> {
  const found = await readProcessStatistics(store.database, { projectID, processID, range, step: 'day' });
  return found?.series.reduce((sum, step) => sum + step.completed, 0) ?? 0;
}

describe('statistics of a process', () => {
  it('tell the hours, the nodes, and how long a job waited and was worked on', async () => {
    await completedInstance('told');
    await foldAll(store);
    const found = await readProcessStatistics(store.database, { projectID, processID: 'told', range, step: 'hour' });
    expect(found!.series).toHaveLength(24);
    const hour = found!.series.find(({ time }) => time === now - (now % HOUR))!;
    expect(hour).toMatchObject({ started: 1, completed: 1, failed: 0, canceled: 0, incidents: 0 });
    expect(Math.abs(hour.durations.quantile(0.5)! - 600_000)).toBeLessThan(30_000);
    const [task] = found!.nodes;
    expect(task).toMatchObject({ nodeID: 'task', version: 1, started: 1, completed: 1 });
    expect(Math.abs(task!.waiting.quantile(0.95)! - 240_000)).toBeLessThan(12_000);
    expect(Math.abs(task!.working.quantile(0.95)! - 360_000)).toBeLessThan(18_000);
  });

  it('sum a whole year', async () => {
    const processID = 'year';
    const until = floorTo(HOUR, Date.now());
    const since = until - 399 * 24 * HOUR;
    await store.database.query(
      `INSERT INTO statistics (project_id, process_id, unit, time, node_id, version, started, completed, durations)
       SELECT $1, $2, unit, date_trunc(unit, to_timestamp($3::float8 / 1000) + day * interval '24 hours', 'UTC'), node, 1, 1, 1, $4
       FROM generate_series(2, 397) day, unnest(ARRAY['', 'task']) node, unnest(ARRAY['hour', 'day']) unit`,
      [projectID, processID, since, new Sketch().add(1_000).encode()],
    );
    const query = { projectID, processID, range: { since, until }, step: 'day' as const };
    const { series, nodes } = (await readProcessStatistics(store.database, query))!;
    expect(nodes).toMatchObject([{ nodeID: 'task', started: 396, completed: 396 }]);
    expect(series.reduce((sum, { completed }) => sum + completed, 0)).toBe(396);
    expect(series.every(({ completed }) => completed <= 1)).toBe(true);
  });

  it('are those of one version if it is named', async () => {
    await completedInstance('versions');
    await completedInstance('versions');
    await foldAll(store);
    const query = { projectID, processID: 'versions', range, step: 'day' as const };
    expect((await readProcessStatistics(store.database, query))!.series[0]).toMatchObject({ completed: 2 });
    expect((await readProcessStatistics(store.database, { ...query, version: 2 }))!.series[0]).toMatchObject({
      completed: 1,
    });
  });

  it('stay when retention removes the instance, which it does not before they include it', async () => {
    const workflowID = await completedInstance('removed');
    await store.database.query("UPDATE instances SET completed_at = now() - interval '1 hour' WHERE workflow_id = $1", [
      workflowID,
    ]);
    const remaining = () =>
      valueOf<number>(store, 'SELECT count(*)::int AS value FROM instances WHERE workflow_id = $1', [workflowID]);
    await removeEndedInstances(store.database, 1000);
    expect(await remaining()).toBe(1);
    await foldAll(store);
    await removeEndedInstances(store.database, 1000);
    while (await deleteBehindRemoved(store.database));
    expect(await remaining()).toBe(0);
    expect(
      await valueOf(store, 'SELECT count(*)::int AS value FROM folded_instances WHERE workflow_id = $1', [workflowID]),
    ).toBe(0);
    expect(await completedCount('removed')).toBe(1);
  });

  it('include an instance that is erased before anything was folded', async () => {
    const workflowID = await completedInstance('erased');
    expect(await eraseInstance(store.database, { projectID, workflowID })).toEqual({ kind: 'changed' });
    expect(await completedCount('erased')).toBe(1);
    await foldAll(store);
    expect(await completedCount('erased')).toBe(1);
  });

  it('say until when everything is counted', async () => {
    const asOf = async () =>
      (await readProcessStatistics(store.database, {
        projectID,
        processID: 'current',
        range,
        step: 'day',
      }))!.asOf.getTime();
    await completedInstance('current');
    await foldAll(store);
    const before = await asOf();
    await completedInstance('current');
    const [{ committed }] = (await rows<{ committed: Date }>(store.database, 'SELECT now() AS committed', [])) as [
      { committed: Date },
    ];
    expect(await asOf()).toBeLessThan(committed.getTime());
    await foldAll(store);
    expect(await asOf()).toBeGreaterThan(before);
    expect(await asOf()).toBeGreaterThanOrEqual(committed.getTime());
  });

  it('go with their project', async () => {
    await ensureProject(store.database, 'gone');
    const { definitionID } = await deploy(store, 'gone', { project: 'gone' });
    const workflowID = await start(store, { project: 'gone', definitionID });
    await commitStep(store, workflowID, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    await foldAll(store);
    expect(await deleteProject(store.database, 'gone')).toMatchObject({ kind: 'deleted' });
    await finishDeletion(store.database, 'gone');
    await foldAll(store);
    expect(await valueOf(store, "SELECT count(*)::int AS value FROM statistics WHERE project_id = 'gone'")).toBe(0);
  });
});

describe('the numbers of a project', () => {
  it('count what is there now and what the last 24 hours brought', async () => {
    const { definitionID } = await deploy(store, 'numbers');
    const workflowID = await start(store, { definitionID });
    const time = { inputs: { now: Date.now(), lastCommand: 0 } };
    const before = await readProjectStatistics(store.database, projectID);
    await commitStep(store, workflowID, 1, [...began, ...jobCreated()], time);
    await foldAll(store);
    const after = await readProjectStatistics(store.database, projectID);
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
    await store.database.query(
      `INSERT INTO targets (project_id, process_id, node_id, since, until, duration_ms)
       SELECT $1, process, node, now() - since * interval '1 minute', now() - until * interval '1 minute', minutes * 60000
       FROM (VALUES ('aimed', '', 300, 200, 30), ('aimed', '', 150, 100, 120), ('aimed', '', 90, NULL, 45), ('aimed', 'task', 500, NULL, 1),
         ('late', '', 1000, 20, 200), ('late', '', 20, NULL, 60)) AS t(process, node, since, until, minutes)`,
      [project],
    );
    await store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, status, created_at, completed_at, variables)
       SELECT 'aim-' || n, $1, ($2::uuid[])[1 + n % 4], 'aim-' || n, CASE WHEN n % 3 = 0 THEN 'COMPLETED' ELSE 'RUNNING' END,
         now() - (400 - n) * interval '1 minute' - interval '1 second', CASE WHEN n % 3 = 0 THEN now() END, '{}'
       FROM generate_series(1, 400) n`,
      [project, versions],
    );
    const listed = await listInstances(
      store.database,
      project,
      { status: ['RUNNING'], overTarget: true },
      { page: 1, pageSize: 1 },
    );
    expect(listed.total).toBeGreaterThan(50);
    const numbers = await readProjectStatistics(store.database, project);
    expect(numbers.overTarget).toBe(listed.total);
    expect(numbers.running).toBe(267);
    expect(numbers.runningByAge).toEqual([227, 0, 0, 0]);
  });

  it('count imported instances by when they began, before and between those of the host', async () => {
    const project = 'moved';
    const versions = [];
    for (const processID of ['moved', 'other'])
      versions.push((await deploy(store, processID, { project })).definitionID);
    await store.database.query(
      `INSERT INTO targets (project_id, process_id, node_id, since, until, duration_ms)
       SELECT $1, 'moved', '', now() - since * interval '1 hour', now() - until * interval '1 hour', hours * 3600000
       FROM (VALUES (1000, 30, 20), (30, 4, 8), (4, NULL, 2)) AS t(since, until, hours)`,
      [project],
    );
    // Every third one comes from another system, where it began up to 40 days before its import.
    await store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, status, created_at, completed_at, variables,
         imported_system, imported_id, imported_at)
       SELECT 'moved-' || n, $1, ($2::uuid[])[1 + n % 2], 'moved-' || n, CASE WHEN n % 7 = 0 THEN 'COMPLETED' ELSE 'RUNNING' END,
         given_at - is_imported::integer * (n * n % 961) * interval '1 hour', CASE WHEN n % 7 = 0 THEN now() END, '{}',
         CASE WHEN is_imported THEN 'old' END, CASE WHEN is_imported THEN n END, CASE WHEN is_imported THEN given_at END
       FROM generate_series(1, 600) n, LATERAL (SELECT now() - (601 - n) * interval '5 minutes' AS given_at, n % 3 = 0 AS is_imported)`,
      [project, versions],
    );
    const first = { page: 1, pageSize: 1 };
    const running = (filter: object) =>
      listInstances(store.database, project, { status: ['RUNNING'], ...filter }, first);
    const before = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const numbers = await readProjectStatistics(store.database, project);
    expect(numbers.overTarget).toBe((await running({ overTarget: true })).total);
    expect(numbers.running).toBe((await running({})).total);
    for (const [index, hours] of AGES_HOURS.entries())
      expect(numbers.runningByAge[index]).toBe((await running({ createdBefore: before(hours) })).total);
  });

  it('name the slowest nodes, of all versions and hours together', async () => {
    const project = 'slow';
    await ensureProject(store.database, project);
    const row = (nodeID: string, version: number, hoursAgo: number, ...durations: number[]) => [
      nodeID,
      version,
      hoursAgo,
      durations.length,
      durations.reduce((sketch, duration) => sketch.add(duration), new Sketch()).encode(),
    ];
    const added = [
      row('fast', 1, 1, 0, 0, 0),
      row('fast', 2, 1, 0),
      row('slow', 1, 1, 60_000),
      row('slow', 1, 2, 600_000),
      row('slow', 2, 2, 60_000),
      row('slow', 1, 30, 900_000),
    ];
    for (const values of added)
      await store.database.query(
        `INSERT INTO statistics (project_id, process_id, unit, time, node_id, version, completed, durations)
         SELECT $1, 'p', 'hour', date_trunc('hour', now()) - $4 * interval '1 hour', $2, $3, $5, $6`,
        [project, ...values],
      );
    const { slowestNodes } = await readProjectStatistics(store.database, project);
    expect(slowestNodes).toMatchObject([
      { processID: 'p', nodeID: 'slow', completed: 3 },
      { processID: 'p', nodeID: 'fast', completed: 4, p95Ms: 0 },
    ]);
    expect(Math.abs(slowestNodes[0]!.p95Ms - 600_000)).toBeLessThan(30_000);
  });

  it('measure a bounded number of nodes, those that completed the most', async () => {
    const project = 'many-nodes';
    await ensureProject(store.database, project);
    const durations = new Sketch().add(1_000).encode();
    await store.database.query(
      `INSERT INTO statistics (project_id, process_id, unit, time, node_id, version, completed, durations)
       SELECT $1, 'p' || n % 100, 'hour', date_trunc('hour', now()), 'node' || n, 1, 2, $2::bytea FROM generate_series(1, 500) n`,
      [project, durations],
    );
    await store.database.query(
      `INSERT INTO statistics (project_id, process_id, unit, time, node_id, version, completed, durations)
       SELECT $1, 'p', 'hour', date_trunc('hour', now()), node, 1, completed, $2 FROM (VALUES ('rare', 1), ('often', 9)) n (node, completed)`,
      [project, new Sketch().add(900_000).encode()],
    );
    const { slowestNodes } = await readProjectStatistics(store.database, project);
    expect(slowestNodes).toHaveLength(10);
    expect(slowestNodes[0]).toMatchObject({ nodeID: 'often', completed: 9 });
    expect(slowestNodes.map(({ nodeID }) => nodeID)).not.toContain('rare');
  });

  it('sum the instances of all processes by hour, and rank the processes', async () => {
    const project = 'trend';
    await deploy(store, 'busy', { project });
    await deploy(store, 'slow', { project });
    const until = floorTo(HOUR, Date.now()) + HOUR;
    const range = { since: until - 3 * HOUR, until };
    const added = [
      ['busy', '', 1, 1, 7, 6, 1_000],
      ['busy', '', 2, 1, 2, 1, 1_000],
      ['busy', 'task', 1, 1, 90, 90, 90_000],
      ['slow', '', 1, 3, 1, 1, 60_000],
      ['slow', '', 1, 4, 50, 50, 1_000],
    ] as const;
    for (const [processID, nodeID, version, hoursBefore, started, completed, duration] of added)
      await store.database.query(
        `INSERT INTO statistics (project_id, process_id, unit, time, node_id, version, started, completed, durations)
         VALUES ($1, $2, 'hour', to_timestamp($3::float8 / 1000), $4, $5, $6, $7, $8)`,
        [
          project,
          processID,
          until - hoursBefore * HOUR,
          nodeID,
          version,
          started,
          completed,
          new Sketch().add(duration).encode(),
        ],
      );
    const { series, busiest, slowest } = await readProjectTrend(store.database, project, range);
    expect(series.map(({ time, started, completed }) => [(until - time) / HOUR, started, completed])).toEqual([
      [3, 1, 1],
      [2, 0, 0],
      [1, 9, 7],
    ]);
    expect(busiest.map(({ processID, started }) => [processID, started])).toEqual([
      ['busy', 9],
      ['slow', 1],
    ]);
    expect(slowest.map(({ processID }) => processID)).toEqual(['slow', 'busy']);
    expect(Math.abs(slowest[0]!.durations.quantile(0.95)! - 60_000)).toBeLessThan(3_000);
  });

  it('count paused instances as the list of instances does', async () => {
    const project = 'pauses';
    const versions: string[] = [];
    for (const processID of ['paused', 'free'])
      versions.push((await deploy(store, processID, { project })).definitionID);
    await store.database.query('UPDATE definitions SET suspended_at = now() WHERE id = $1', [versions[0]]);
    // Every combination, as root instances and as called ones.
    await store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, parent_workflow_id, status, suspended_at, ancestor_suspended,
         ancestor_definitions, variables)
       SELECT concat_ws('-', 'pause', version, status, suspended, parent, above, ancestor), $1, ($2::uuid[])[version], 'pause-root', parent, status,
         CASE WHEN suspended THEN now() END, above, CASE WHEN ancestor > 0 THEN ARRAY[($2::uuid[])[ancestor]] ELSE '{}' END, '{}'
       FROM unnest(ARRAY[1, 2]) version, unnest(ARRAY['RUNNING', 'CANCELED']) status, unnest(ARRAY[true, false]) suspended,
         (VALUES (NULL, false, 0), ('p', false, 1), ('p', false, 2), ('p', true, 1), ('p', true, 2)) AS t(parent, above, ancestor)`,
      [project, versions],
    );
    const filter = { status: ['RUNNING'], suspended: true };
    const { total } = await listInstances(store.database, project, filter, { page: 1, pageSize: 1 });
    expect(total).toBe(18);
    expect((await readProjectStatistics(store.database, project)).paused).toBe(total);
  });

  it('count open, unassigned, and overdue tasks', async () => {
    const project = 'offices';
    await ensureProject(store.database, project);
    await store.database.query(
      `INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, status, assignee, candidate_users, candidate_groups, created_at, due_date)
       SELECT 'office-' || status || assignee || due, 3, $1, 2, 'approve', status, nullif(assignee, ''), '{}', '{}', now(), now() + due * interval '1 hour'
       FROM unnest(ARRAY['CREATED', 'COMPLETED']) status, unnest(ARRAY['', 'eda']) assignee, unnest(ARRAY[-2, -1, 1]) due`,
      [project],
    );
    const counts = { openTasks: 6, unassignedTasks: 3, overdueTasks: 4 };
    expect(await readProjectStatistics(store.database, project)).toMatchObject(counts);
  });
});
