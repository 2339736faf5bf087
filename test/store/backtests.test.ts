/** Backtests of instances whose rows are those of instances in memory. */
import { pino } from 'pino';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import {
  businessRuleTask,
  catchEvent,
  endEvent,
  exclusiveGateway,
  on,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import type { Chore } from '../../background/chore.js';
import { perform } from '../../packages/dmn/work.js';
import { findBacktest, findBacktestItem, listBacktestItems, type Backtest } from '../../store/backtests/backtests.js';
import { cancelBacktest } from '../../store/backtests/cancel.js';
import { createBacktest, findBacktestedDefinition } from '../../store/backtests/create.js';
import { MAX_CHARACTERS } from '../../store/backtests/recorded-instances.js';
import { endTurn, itemsToCompare, keepTurn, takeBacktestTurn } from '../../store/backtests/turns.js';
import type { Queryable } from '../../store/sql/database.js';
import { createDefinition } from '../../store/decisions/change-definitions.js';
import { createResource, deployResource } from '../../store/definitions/resources.js';
import { ensureProject } from '../../store/projects/projects.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { backtests } from '../../worker/backtests/backtests.js';
import { recordAll } from '../backtest/support/recorder-of-host.js';
import { decision, dmn, literal } from '../dmn/support.js';
import { uniqueName } from '../support/infrastructure.js';
import { rowsReadBy } from './support/rows-read.js';
import { useStore } from './support/store.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** Of the long history: `npm run backtest-proof` has more. */
const FACTS = Number(process.env['BACKTEST_FACTS'] || 10_000);

const store = useStore();
let project: string;
beforeEach(async () => {
  project = uniqueName('project');
  await ensureProject(store.database, project);
});

/** Amounts above the limit are checked. */
const checking = (limit: number) =>
  processModel(
    'checks',
    [
      startEvent('start'),
      exclusiveGateway('large', { default: 'no' }),
      scriptTask('check', '=true', 'checked'),
      endEvent('end'),
    ],
    ['a: start -> large', `yes: large -> check =amount > ${limit}`, 'no: large -> end', 'b: check -> end'],
  );

async function compiled(xml: string) {
  const { processes, problems } = await compile(xml);
  if (!processes[0]) throw new Error(JSON.stringify(problems));
  return { processes, process: processes[0] };
}

async function deployed(xml: string, projectID = project): Promise<string> {
  const { processes } = await compiled(xml);
  const content = { name: 'test.bpmn', xml, definitionsID: 'definitions' };
  const { resourceID } = await createResource(store.database, projectID, content, 'editor');
  const outcome = await deployResource(store.database, { projectID, resourceID, xml, deployedBy: 'editor', processes });
  if (outcome.kind !== 'deployed') throw new Error(outcome.message);
  return outcome.definitionIDs[0]!;
}

type Happens = (host: MemoryHost, workflowID: string) => void;

/** Writes the rows of an instance that has ended. */
async function ended(
  xml: string,
  definitionID: string,
  variables: Variables,
  {
    projectID = project,
    prepare = () => {},
    happens = () => {},
  }: { projectID?: string; prepare?: (host: MemoryHost) => void; happens?: Happens } = {},
): Promise<string> {
  const host = await MemoryHost.deploy(xml);
  host.compareEvery = Infinity;
  prepare(host);
  const recorders = recordAll(host);
  const { workflowID, state } = host.start('checks', variables);
  happens(host, workflowID);
  expect(host.instances.get(workflowID)?.state.status ?? state.status).toBe('COMPLETED');
  const { steps, commands } = recorders.get(workflowID)!.recording;
  const id = uniqueName('instance');
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, status, variables, completed_at, step_count)
     VALUES ($1, $2, $3, $1, 'COMPLETED', '{}', now(), $4)`,
    [id, projectID, definitionID, steps.length],
  );
  await store.database.query(
    `INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts)
     SELECT $1, nth, 0, json_array_length(step -> 'facts'), step -> 'inputs', step -> 'facts'
     FROM json_array_elements($2::json) WITH ORDINALITY AS s(step, nth)`,
    [id, JSON.stringify(steps)],
  );
  for (const { number, status, ...body } of commands)
    await store.database.query(
      `INSERT INTO commands (workflow_id, project_id, number, body, awaited, status, deliver_at) VALUES ($1, $2, $3, $4, false, $5, now())`,
      [id, projectID, number, JSON.stringify(body), status],
    );
  return id;
}

/** Instances with the history of another one. */
async function copies(workflowID: string, count: number): Promise<void> {
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, status, variables, completed_at, step_count)
     SELECT workflow_id || '-' || n, project_id, definition_id, workflow_id || '-' || n, status, variables, completed_at, step_count
     FROM instances, generate_series(1, $2) n WHERE workflow_id = $1`,
    [workflowID, count],
  );
  await store.database.query(
    `INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts)
     SELECT workflow_id || '-' || n, number, facts_before, fact_count, inputs, facts FROM steps, generate_series(1, $2) n WHERE workflow_id = $1`,
    [workflowID, count],
  );
}

async function against(xml: string, { projectID = project, newest = 100_000 } = {}): Promise<string> {
  const { graph, sha256 } = (await compiled(xml)).process;
  const { backtestID } = await createBacktest(store.database, {
    projectID,
    processID: 'checks',
    version: { resourceID: '00000000-0000-4000-8000-000000000000' },
    graph: JSON.stringify(graph),
    graphSha256: sha256,
    filter: {},
    newest,
    createdBy: 'eda',
  });
  return backtestID;
}

const find = async (backtestID: string, projectID = project) =>
  (await findBacktest(store.database, projectID, backtestID))!;

let chore: Chore;
beforeAll(() => {
  chore = backtests({ store: store.database, logger: pino({ level: 'silent' }) });
});
const runOnce = () => chore.run({ until: performance.now() + 1, stopping: new AbortController().signal });

async function completed(backtestID: string, projectID = project): Promise<Backtest> {
  for (;;) {
    const { signal } = new AbortController();
    await chore.run({ until: performance.now() + 2_000, stopping: signal });
    await chore.wait!(chore.every, signal);
    const backtest = await find(backtestID, projectID);
    if (backtest.status !== 'RUNNING') return backtest;
  }
}

it('chooses the newest root instances that have ended, once and for all', async () => {
  const definitionID = await deployed(checking(100));
  const first = await ended(checking(100), definitionID, { amount: 1 });
  const second = await ended(checking(100), definitionID, { amount: 2 });
  await store.database.query("UPDATE instances SET created_at = now() - interval '1 hour' WHERE workflow_id = $1", [
    second,
  ]);
  const backtestID = await against(checking(100), { newest: 1 });
  await ended(checking(100), definitionID, { amount: 3 });
  const backtest = await completed(backtestID);
  expect(backtest).toMatchObject({ total: 1, counts: { same: 1 } });
  const { data } = await listBacktestItems(store.database, backtestID, {}, { page: 1, pageSize: 10 });
  expect(data.map(({ workflowID }) => workflowID)).toEqual([first]);
});

it('one instance of many is found by reading its row, and in one backtest only', async () => {
  const definitionID = await deployed(checking(100));
  const first = await ended(checking(100), definitionID, { amount: 1 });
  await copies(first, 5_000);
  const [backtestID, other] = [await against(checking(100)), await against(checking(100), { newest: 1 })];
  await store.database.query(
    "UPDATE backtest_items SET outcome = 'SAME' WHERE backtest_id = ANY($1) AND workflow_id <> $2",
    [[backtestID, other], `${first}-1`],
  );
  await store.database.query('ANALYZE backtests, backtest_items');
  const found = (workflowID: string, id = backtestID, database: Queryable = store.database) =>
    findBacktestItem(database, { projectID: project, backtestID: id, workflowID });
  expect(await found(first)).toMatchObject({ backtestID, workflowID: first, outcome: 'SAME' });
  expect(await found(`${first}-5000`)).toMatchObject({ position: 1 });
  expect(await found(first, other)).toBeUndefined();
  expect(await found(`${first}-1`)).toBeUndefined();
  for (const workflowID of [first, 'unknown'])
    expect(
      await rowsReadBy(store, (database) => found(workflowID, backtestID, database), /FROM backtests/),
    ).toBeLessThan(10);
});

it('a version that goes in the middle changes nothing, and an instance that goes is skipped', async () => {
  const definitionID = await deployed(checking(100));
  const ids: string[] = [];
  for (const amount of [50, 150, 250]) ids.push(await ended(checking(100), definitionID, { amount }));
  const candidate = await deployed(checking(200));
  const found = (await findBacktestedDefinition(store.database, project, candidate))!;
  const { backtestID } = await createBacktest(store.database, {
    ...found,
    projectID: project,
    version: { definitionID: candidate },
    filter: {},
    newest: 10,
    createdBy: 'eda',
  });
  await store.database.query('DELETE FROM definitions WHERE id = $1', [candidate]);
  await store.database.query('DELETE FROM instances WHERE workflow_id = $1', [ids[0]]);
  const backtest = await completed(backtestID);
  expect(backtest.counts).toMatchObject({ same: 1, otherPath: 1, skipped: 1 });
  expect(backtest.groups.map(({ outcome, reason }) => [outcome, reason]).toSorted()).toEqual([
    ['OTHER_PATH', 'After large comes end instead of check'],
    ['SKIPPED', 'The instance was removed'],
  ]);
});

it('outcomes of a runner that has lost the turn are not written, and a canceled backtest gets none', async () => {
  const definitionID = await deployed(checking(100));
  await ended(checking(100), definitionID, { amount: 1 });
  const backtestID = await against(checking(100));
  const lost = (await takeBacktestTurn(store.database, firstTurn()))!;
  expect(lost.backtestID).toBe(backtestID);
  expect(await takeBacktestTurn(store.database, firstTurn())).toBeUndefined();
  expect(await keepTurn(store.database, lost)).toBe(true);
  await store.database.query("UPDATE backtests SET due_at = now() - interval '1 second' WHERE id = $1", [backtestID]);
  const turn = (await takeBacktestTurn(store.database, firstTurn()))!;
  const [item] = await itemsToCompare(store.database, backtestID, 10);
  const outcome = {
    position: item!.position,
    flows: { a: [1, 1] as [number, number] },
    item: {
      workflowID: item!.workflowID,
      outcome: 'SAME' as const,
      nodeID: null,
      occurrence: null,
      expected: null,
      found: null,
      variables: null,
      durationMs: 1,
      durationBeforeMs: 1,
      reason: null,
    },
  };
  expect(await keepTurn(store.database, lost)).toBe(false);
  expect(await endTurn(store.database, lost, [outcome])).toBe(false);
  expect((await find(backtestID)).counts.same).toBe(0);
  await cancelBacktest(store.database, { projectID: project, backtestID });
  expect(await endTurn(store.database, turn, [outcome])).toBe(false);
  expect(await find(backtestID)).toMatchObject({ status: 'CANCELED', counts: { same: 0 }, flows: {} });
});

it('two projects take turns, however many instances one of them has', async () => {
  const other = uniqueName('project');
  await ensureProject(store.database, other);
  const [mine, others] = [await deployed(checking(100)), await deployed(checking(100), other)];
  await copies(await ended(checking(100), mine, { amount: 1 }), 400);
  await ended(checking(100), others, { amount: 1 }, { projectID: other });
  const large = await against(checking(100));
  const small = await against(checking(100), { projectID: other });
  for (let turns = 0; turns < 4 && (await find(small, other)).status === 'RUNNING'; turns += 1) await runOnce();
  expect((await find(small, other)).status).toBe('COMPLETED');
  expect((await find(large)).status).toBe('RUNNING');
  await cancelBacktest(store.database, { projectID: project, backtestID: large });
});

it('endless versions, and histories that are too large, do not stop the others', async () => {
  const definitionID = await deployed(checking(100));
  await ended(checking(100), definitionID, { amount: 1 });
  const large = await ended(checking(100), definitionID, { amount: 2 });
  await store.database.query(
    `INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts)
     SELECT workflow_id, 100 + n, 0, 0, inputs, ('[' || repeat(' ', 1000000) || ']')::json FROM steps, generate_series(1, $2) n WHERE workflow_id = $1 AND number = 1`,
    [large, Math.ceil(MAX_CHARACTERS / 1_000_000)],
  );
  const endless = processModel(
    'checks',
    [startEvent('start'), exclusiveGateway('again', { default: 'b' }), scriptTask('loop', '=1', 'x'), endEvent('end')],
    ['a: start -> again', 'b: again -> loop', 'c: loop -> again', 'd: loop -> end =false'],
  );
  const backtest = await completed(await against(endless));
  expect(backtest.counts).toMatchObject({ incident: 1, skipped: 1 });
  expect(backtest.groups.find(({ outcome }) => outcome === 'SKIPPED')!.reason).toBe(
    'The history of the instance is too large to compare',
  );
});

it(`an instance with ${FACTS} facts is compared`, async () => {
  const ticking = processModel(
    'checks',
    [
      startEvent('start'),
      exclusiveGateway('again'),
      catchEvent('tick', on.timer('PT1S')),
      scriptTask('count', '=if n = null then 1 else n + 1', 'n'),
      exclusiveGateway('enough', { default: 'more' }),
      endEvent('end'),
    ],
    [
      'a: start -> again',
      'b: again -> tick',
      'c: tick -> count',
      'd: count -> enough',
      'more: enough -> again',
      'e: enough -> end =n >= rounds',
    ],
  );
  const definitionID = await deployed(ticking);
  // Each round has eleven facts.
  const rounds = Math.ceil(FACTS / 10);
  const id = await ended(ticking, definitionID, { rounds, n: 0 }, { happens: (host) => host.advance(10_000_000) });
  const { rows } = await store.database.query<{ facts: number }>(
    'SELECT sum(fact_count)::integer AS facts FROM steps WHERE workflow_id = $1',
    [id],
  );
  expect(rows[0]!.facts).toBeGreaterThan(FACTS);
  const backtest = await completed(await against(ticking));
  expect(backtest.counts).toMatchObject({ same: 1 });
  expect(backtest.flows['more']).toEqual([rounds - 1, rounds - 1]);
});

it('decisions are bound as of the acceptance, and for the version that was run as they were', async () => {
  const deciding = (task: string) =>
    processModel(
      'checks',
      [startEvent('start'), businessRuleTask(task, 'rate', 'rate'), endEvent('end')],
      [`a: start -> ${task}`, `b: ${task} -> end`],
    );
  const decide = async (value: string) => {
    const { content } = perform({ kind: 'compile', xml: dmn(decision('rate', literal(value))), imported: [] });
    await createDefinition(store.database, project, { name: 'rates', content: content!, createdBy: 'eda' });
  };
  await decide('amount * 2');
  const definitionID = await deployed(deciding('decide'));
  await ended(
    deciding('decide'),
    definitionID,
    { amount: 1 },
    {
      prepare: (host) => host.decisions.set('rate', ({ amount }) => (amount as number) * 2),
    },
  );
  const same = await against(deciding('decide'));
  await decide('amount * 3');
  const changed = await against(deciding('decide'));
  const found = (await findBacktestedDefinition(store.database, project, definitionID))!;
  const itself = await createBacktest(store.database, {
    ...found,
    projectID: project,
    version: { definitionID },
    filter: {},
    newest: 10,
    createdBy: 'eda',
  });
  expect((await completed(same)).counts).toMatchObject({ same: 1 });
  expect((await completed(changed)).counts).toMatchObject({ otherResult: 1 });
  expect((await completed(itself.backtestID)).counts).toMatchObject({ same: 1 });
});

it('jobs are answered by the commands of their instance', async () => {
  const working = processModel(
    'checks',
    [startEvent('start'), serviceTask('work'), endEvent('end')],
    ['a: start -> work', 'b: work -> end'],
  );
  const definitionID = await deployed(working);
  const id = await ended(
    working,
    definitionID,
    {},
    {
      happens: (host, workflowID) => host.completeJob(host.instances.get(workflowID)!, 'work', { done: 'yes' }),
    },
  );
  expect((await completed(await against(working))).counts).toMatchObject({ same: 1 });
  await store.database.query('DELETE FROM commands WHERE workflow_id = $1', [id]);
  const backtest = await completed(await against(working));
  expect(backtest.groups).toMatchObject([{ outcome: 'SKIPPED', reason: 'Commands of the instance were removed' }]);
});
