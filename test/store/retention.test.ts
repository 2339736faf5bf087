import { expect, test } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { submitCommand } from '../../store/instances/submit-command.js';
import { rows, type Queryable } from '../../store/sql/database.js';
import { recordExecution } from '../../store/decisions/executed.js';
import { ensureProject } from '../../store/projects/projects.js';
import {
  deleteBehindRemoved,
  removeEndedInstances,
  removeOldExecutions,
  removeOldBacktest,
  removeOldBatch,
  TABLES_OF_AN_INSTANCE,
} from '../../store/retention/retention.js';
import { began, foldAll, jobCreated, commitStep, start, useStore, valueOf } from './support/store.js';

const store = useStore();

const DAY = 86_400_000;
const completed: Fact[] = [{ kind: 'INSTANCE_COMPLETED' }];

interface Age {
  project: string;
  /** Days since its end; it runs when absent. */
  ended?: number;
  parent?: { workflowID: string; root: string; depth: number };
}

async function instance({ project, ended, parent }: Age): Promise<string> {
  const workflowID = await start(store, { project });
  await commitStep(store, workflowID, 1, [...began, ...jobCreated()]);
  if (ended !== undefined) {
    await commitStep(store, workflowID, 2, completed);
    await store.database.query(
      `UPDATE instances SET completed_at = now() - make_interval(days => $2) WHERE workflow_id = $1`,
      [workflowID, ended],
    );
  }
  if (parent) {
    await store.database.query(
      'UPDATE instances SET parent_workflow_id = $2, root_workflow_id = $3, depth = $4 WHERE workflow_id = $1',
      [workflowID, parent.workflowID, parent.root, parent.depth],
    );
  }
  return workflowID;
}

async function projectWith(id: string, retentionDays: number | null): Promise<string> {
  await ensureProject(store.database, id);
  await store.database.query('UPDATE projects SET history_retention_ms = $2 WHERE id = $1', [
    id,
    retentionDays === null ? null : retentionDays * DAY,
  ]);
  return id;
}

async function removeAll(defaultMilliseconds?: number): Promise<number> {
  await foldAll(store);
  let removed = 0;
  for (let count = -1; count !== 0; removed += count)
    count = await removeEndedInstances(store.database, defaultMilliseconds);
  while (await deleteBehindRemoved(store.database));
  return removed;
}

const left = (project: string) =>
  valueOf<string[]>(
    store,
    `SELECT coalesce(array_agg(workflow_id), '{}') AS value FROM instances WHERE project_id = $1`,
    [project],
  );

test('ended instances go after the time of their project, else after that of the host, else never', async () => {
  const [own, hosts] = [await projectWith('own', 10), await projectWith('hosts', null)];
  const ages = [undefined, 5, 20, 40];
  const [running, young] = await Promise.all(
    ages.map((ended) => instance({ project: own, ...(ended !== undefined && { ended }) })),
  );
  const [, kept, gone] = await Promise.all(
    [undefined, 20, 40].map((ended) => instance({ project: hosts, ...(ended !== undefined && { ended }) })),
  );
  expect(await removeAll()).toBe(2);
  expect(new Set(await left(own))).toEqual(new Set([running, young]));
  expect(await left(hosts)).toHaveLength(3);
  expect(await removeAll(30 * DAY)).toBe(1);
  expect(await left(hosts)).toContain(kept);
  expect(await left(hosts)).not.toContain(gone);
});

test('an instance stays for ten minutes after its end, however short its retention', async () => {
  const project = await projectWith('short', 0);
  const id = await instance({ project, ended: 0 });
  await store.database.query(
    "UPDATE instances SET completed_at = now() - interval '9 minutes' WHERE workflow_id = $1",
    [id],
  );
  expect(await removeAll()).toBe(0);
  await store.database.query(
    "UPDATE instances SET completed_at = now() - interval '11 minutes' WHERE workflow_id = $1",
    [id],
  );
  expect(await removeAll()).toBe(1);
});

test('called instances are removed with their root, and none while a part of the tree runs or is too young', async () => {
  const project = await projectWith('trees', 10);
  const tree = async (root: Omit<Age, 'project'>, ...below: Omit<Age, 'project'>[]) => {
    const top = await instance({ project, ...root });
    const ids = [top];
    for (const [index, each] of below.entries())
      ids.push(await instance({ project, ...each, parent: { workflowID: ids.at(-1)!, root: top, depth: index + 1 } }));
    return ids;
  };
  const whole = await tree({ ended: 20 }, { ended: 20 }, { ended: 21 });
  const running = await tree({}, { ended: 30 });
  const runningBelow = await tree({ ended: 30 }, { ended: 30 }, {});
  const youngBelow = await tree({ ended: 30 }, { ended: 3 });
  expect(await removeAll()).toBe(whole.length);
  expect(new Set(await left(project))).toEqual(new Set([...running, ...runningBelow, ...youngBelow]));
});

test('an instance is there as long as anything that it called is, however large the tree', async () => {
  const project = await projectWith('large', 1);
  const root = await instance({ project, ended: 2 });
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, parent_workflow_id, root_workflow_id, depth, status, completed_at, variables)
     SELECT 'large-' || n, project_id, definition_id, $1, $1, 1, 'COMPLETED', completed_at, '{}' FROM instances, generate_series(1, 450) n WHERE workflow_id = $1`,
    [root],
  );
  await foldAll(store);
  const rounds: number[] = [];
  while (rounds.at(-1) !== 0) {
    rounds.push(await removeEndedInstances(store.database, undefined));
    const rest = await left(project);
    if (rest.length > 0) expect(rest).toContain(root);
  }
  expect(rounds.reduce((sum, count) => sum + count)).toBe(451);
  expect(rounds.length).toBeGreaterThan(3);
  while (await deleteBehindRemoved(store.database));
});

test('a round reads a bounded number of rows, however much the instances have called', async () => {
  const project = await projectWith('wide', 1);
  for (let root = 0; root < 3; root += 1) {
    const id = await instance({ project, ended: 3 });
    await store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, parent_workflow_id, root_workflow_id, depth, status, completed_at, variables)
       SELECT $1 || n, project_id, definition_id, $1, $1, 1, 'COMPLETED', completed_at, '{}' FROM instances, generate_series(1, 3000) n WHERE workflow_id = $1`,
      [id],
    );
  }
  await foldAll(store);
  // Otherwise projects of other tests have shares.
  await store.database.query('UPDATE projects SET history_retention_ms = NULL WHERE id <> $1', [project]);
  const { removed, read } = await store.database.transaction(async (transaction) => {
    await transaction.query('SET LOCAL enable_seqscan = off');
    const before = await readSoFar(transaction);
    return {
      removed: await removeEndedInstances(transaction as never, undefined),
      read: (await readSoFar(transaction)) - before,
    };
  });
  expect(removed).toBe(200);
  expect(read).toBeLessThan(3_000);
  expect(await removeAll()).toBe(8_803);
});

async function readSoFar(database: Queryable): Promise<number> {
  const [found] = await rows<{ count: number }>(
    database,
    'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS count FROM pg_stat_xact_user_tables',
    [],
  );
  return found!.count;
}

test('nothing of a removed instance stays in any table, and a history without end goes in bounded steps', async () => {
  const project = await projectWith('rows', 1);
  const workflowID = await start(store, { project });
  await commitStep(store, workflowID, 1, [
    ...began,
    ...jobCreated(),
    { kind: 'ELEMENT_ACTIVATED', element: 5, node: 'task', scope: 1 },
    { kind: 'USER_TASK_CREATED', task: 6, element: 5, node: 'task' },
    { kind: 'INCIDENT_RAISED', incident: 7, element: 5, node: 'task', errorType: 'FeelError', message: 'no' },
  ]);
  await submitCommand(store.database, {
    workflowID,
    projectID: project,
    body: { kind: 'SET_VARIABLES', variables: { a: 1 } },
    awaited: false,
  });
  await store.database.query(
    `INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts) SELECT $1, n, 0, 0, '{}', '[]' FROM generate_series(2, 11000) n`,
    [workflowID],
  );
  await store.database.query(
    `UPDATE instances SET status = 'CANCELED', completed_at = now() - interval '2 days' WHERE workflow_id = $1`,
    [workflowID],
  );
  await foldAll(store);
  expect(await removeEndedInstances(store.database, undefined)).toBe(1);
  expect(await left(project)).toEqual([]);
  let steps = 1;
  while (await deleteBehindRemoved(store.database)) steps += 1;
  expect(steps).toBeGreaterThan(2);

  for (const table of TABLES_OF_AN_INSTANCE) {
    const rows = await valueOf<number>(store, `SELECT count(*)::int AS value FROM ${table} WHERE workflow_id = $1`, [
      workflowID,
    ]);
    expect(rows, `rows of the removed instance in ${table}`).toBe(0);
  }
});

test('every table that names instances is one that retention empties, or has its own rule', async () => {
  const { rows: tables } = await store.database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'workflow_id' AND table_type = 'BASE TABLE'`,
  );
  const ownRule = [
    'gone_instances',
    'instances',
    'removed_instances',
    'steps_to_fold',
    'signal_deliveries',
    // Events have their own retention, and deliveries go with them. Entries outlive their instances, items go with their batch or backtest, and erased workflows with their last run in Temporal.
    'audit_entries',
    'backtest_items',
    'batch_items',
    'erased_instances',
    'event_deliveries',
    'events',
    // An execution on Temporal that outlives its job is canceled first.
    'temporal_executions',
  ];
  const expected = [...TABLES_OF_AN_INSTANCE, ...ownRule].toSorted();
  expect(tables.map(({ name }) => name).toSorted(), 'a new table: let store/retention/retention.ts empty it').toEqual(
    expected,
  );
});

test('several at once, next to starts and step commits, remove each instance once and no other', async () => {
  const project = await projectWith('busy', 1);
  const old = await Promise.all(Array.from({ length: 60 }, () => instance({ project, ended: 2 })));
  const alive: string[] = [];
  const work = async () => {
    for (let count = 0; count < 15; count += 1)
      alive.push(await instance({ project, ...(count % 2 === 0 && { ended: 0 }) }));
  };
  const [first, second, third] = await Promise.all([removeAll(), removeAll(), removeAll(), work(), work()]);
  expect(first + second + third).toBe(old.length);
  expect(new Set(await left(project))).toEqual(new Set(alive));
  expect(
    await valueOf<number>(store, 'SELECT count(*)::int AS value FROM steps WHERE workflow_id = ANY ($1)', [old]),
  ).toBe(0);
  expect(
    await valueOf<number>(store, 'SELECT count(*)::int AS value FROM steps WHERE workflow_id = ANY ($1)', [alive]),
  ).toBeGreaterThanOrEqual(alive.length);
});

test('completed batches go by the same time, with their items', async () => {
  const project = await projectWith('batches', 10);
  const batch = (daysSinceEnd: number | null) =>
    valueOf<string>(
      store,
      `INSERT INTO batches (project_id, operation, shown, created_by, items_per_second, total, completed_at)
       VALUES ($1, 'CANCEL', '{}', 'eda', 50, 1, now() - make_interval(days => $2)) RETURNING id AS value`,
      [project, daysSinceEnd],
    );
  const [old, young, running] = [await batch(11), await batch(9), await batch(null)];
  await store.database.query(`INSERT INTO batch_items (batch_id, position, workflow_id) VALUES ($1, 1, 'any')`, [old]);
  expect((await removeOldBatch(store.database, undefined)).removed).toBe(1);
  expect((await removeOldBatch(store.database, undefined)).removed).toBe(0);
  const ids = await valueOf<string[]>(store, 'SELECT array_agg(id) AS value FROM batches WHERE project_id = $1', [
    project,
  ]);
  expect(new Set(ids)).toEqual(new Set([young, running]));
});

test('a large batch goes in bounded steps, and the row last', async () => {
  const project = await projectWith('large-batch', 10);
  const id = await valueOf<string>(
    store,
    `INSERT INTO batches (project_id, operation, shown, created_by, items_per_second, total, completed_at)
     VALUES ($1, 'CANCEL', '{}', 'eda', 50, 12000, now() - interval '11 days') RETURNING id AS value`,
    [project],
  );
  await store.database.query(
    `INSERT INTO batch_items (batch_id, position, workflow_id) SELECT $1, n, n::text FROM generate_series(1, 12000) n`,
    [id],
  );
  const removed: number[] = [];
  for (let hasMore = true; hasMore;) {
    const step = await removeOldBatch(store.database, undefined);
    removed.push(step.removed);
    ({ hasMore } = step);
  }
  expect(removed).toEqual([0, 0, 1, 0]);
  expect(await valueOf(store, 'SELECT count(*)::int AS value FROM batch_items WHERE batch_id = $1', [id])).toBe(0);
});

test('completed backtests go by the same time, with their items and groups', async () => {
  const project = await projectWith('backtests', 10);
  const backtest = (daysSinceEnd: number | null) =>
    valueOf<string>(
      store,
      `INSERT INTO backtests (project_id, process_id, graph_sha256, created_by, total, completed_at)
       VALUES ($1, 'p', 'sha', 'eda', 12000, now() - make_interval(days => $2)) RETURNING id AS value`,
      [project, daysSinceEnd],
    );
  const [old, young, running] = [await backtest(11), await backtest(9), await backtest(null)];
  await store.database.query(
    `INSERT INTO backtest_items (backtest_id, position, workflow_id) SELECT $1, n, n::text FROM generate_series(1, 12000) n`,
    [old],
  );
  await store.database.query(
    `INSERT INTO backtest_groups (backtest_id, cause, outcome, reason, count, examples, durations, durations_before)
     VALUES ($1, 'any', 'SKIPPED', 'any', 1, '{}', '', '')`,
    [old],
  );
  const removed: number[] = [];
  for (let hasMore = true; hasMore;) {
    const step = await removeOldBacktest(store.database, undefined);
    removed.push(step.removed);
    ({ hasMore } = step);
  }
  expect(removed).toEqual([0, 0, 1, 0]);
  for (const table of ['backtest_items', 'backtest_groups'])
    expect(await valueOf(store, `SELECT count(*)::int AS value FROM ${table} WHERE backtest_id = $1`, [old])).toBe(0);
  const ids = await valueOf<string[]>(store, 'SELECT array_agg(id) AS value FROM backtests WHERE project_id = $1', [
    project,
  ]);
  expect(new Set(ids)).toEqual(new Set([young, running]));
});

test('evaluations of decisions go by the same time', async () => {
  const project = await projectWith('decisions', 10);
  const definitionID = await valueOf<string>(
    store,
    `INSERT INTO decision_definitions (project_id, definitions_id, namespace, name, version, xml, imported, model, created_by)
     VALUES ($1, 'd', 'n', 'd', 1, '', '[]', '{}', 'eda') RETURNING id AS value`,
    [project],
  );
  const record = () =>
    recordExecution(store.database, {
      projectID: project,
      definitionID,
      definitionsID: 'd',
      executedBy: 'eda',
      inputs: {},
      outputs: {},
    });
  const [old, young] = [await record(), await record()];
  await store.database.query(`UPDATE decision_executions SET executed_at = now() - interval '11 days' WHERE id = $1`, [
    old,
  ]);
  expect(await removeOldExecutions(store.database, undefined)).toBe(1);
  expect(await removeOldExecutions(store.database, undefined)).toBe(0);
  expect(
    await valueOf<string[]>(store, 'SELECT array_agg(id) AS value FROM decision_executions WHERE project_id = $1', [
      project,
    ]),
  ).toEqual([young]);
});
