/** The runs of instances that ended on the host, against other versions of their process. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, exclusiveGateway, processModel, scriptTask, startEvent } from '@perdure/testkit/models';
import type { Schemas } from '@perdure/client';
import { FairTurns, TurnCanceled } from '@perdure/lib/fair-turns.js';
import { compareRuns } from '../../../api/operations/backtests/shared/compare-runs.js';
import type { Chore } from '../../../background/chore.js';
import { backtests } from '../../../worker/backtests/backtests.js';
import { silent } from '../../support/host-services.js';
import { project, startTestHost, type TestHost } from './support/host.js';
import { deploy, start, untilStatus } from './support/steps.js';

type Runs = Schemas['BpmnBacktestRuns'];

let host: TestHost;
let chore: Chore;
let definitionID: string;
/** An instance with a large amount, and one with a small one. */
let large: string;
let small: string;

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

beforeAll(async () => {
  host = await startTestHost();
  chore = backtests({ store: host.store, logger: silent });
  definitionID = await deploy(host, checking(100));
  const instance = async (amount: number) => {
    const workflowID = await start(host, definitionID, { variables: { amount, secret: 'of-the-customer' } });
    await untilStatus(host, workflowID, 'COMPLETED');
    return workflowID;
  };
  large = await instance(150);
  small = await instance(50);
});
afterAll(() => host.close());

async function draft(xml: string): Promise<string> {
  return (await host.call('editor', 'POST', '/bpmn/resources', { json: { name: 'changed', xml } })).body.id;
}

/** A backtest that has compared all instances. */
async function compared(path: string): Promise<string> {
  const { body } = await host.call('editor', 'POST', `/bpmn${path}/backtests`, { json: {} });
  for (;;) {
    await chore.run({ until: performance.now() + 2_000, stopping: new AbortController().signal });
    const { status } = (await host.call('viewer', 'GET', `/bpmn/backtests/${body.backtestID}`)).body;
    if (status === 'COMPLETED') return body.backtestID;
  }
}

const get = (backtestID: string, workflowID: string) =>
  host.call('viewer', 'GET', `/bpmn/backtests/${backtestID}/items/${workflowID}`);

async function runsOf(backtestID: string, workflowID: string): Promise<Runs> {
  const answer = await get(backtestID, workflowID);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

const nodes = (run: Runs['before']) => run?.visits.map(({ nodeID }) => nodeID);

test('a changed condition is seen in both runs, and no value is', async () => {
  const backtestID = await compared(`/resources/${await draft(checking(200))}`);
  const runs = await runsOf(backtestID, large);
  expect(runs.item).toMatchObject({ workflowID: large, outcome: 'OTHER_PATH', first: { nodeID: 'large' } });
  expect(nodes(runs.before)).toEqual(['start', 'large', 'check', 'end']);
  expect(nodes(runs.after)).toEqual(['start', 'large', 'end']);
  expect(runs.before!.visits[2]).toMatchObject({ flows: ['yes'] });
  expect(runs.after!.visits[2]).toMatchObject({ flows: ['no'] });
  expect(JSON.stringify(runs)).not.toMatch(/of-the-customer|150/);
  // The fact of a visit is that of a replay, and only the recorded run has facts of an instance.
  const { fact } = runs.before!.visits[2]!;
  const replay = await host.call('viewer', 'GET', `/bpmn/instances/${large}/replay?at=${fact}`);
  expect(replay.body.fact).toMatchObject({ kind: 'ELEMENT_ACTIVATED', nodeID: 'check' });
  expect(runs.after!.visits.some((visit) => 'fact' in visit)).toBe(false);
});

test('an editor gets the run of the version as states around the first difference', async () => {
  const backtestID = await compared(`/resources/${await draft(checking(200))}`);
  const positions = (role: 'viewer' | 'editor', id: string) =>
    host.call(role, 'GET', `/bpmn/backtests/${backtestID}/items/${id}/positions`);
  const { status, body } = await positions('editor', large);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    at: 1,
    positions: [
      { visits: 1, isInside: true },
      { visits: 2, isInside: true },
      { visits: 3, state: { status: 'COMPLETED' } },
    ],
    graph: { processID: expect.any(String) as string },
  });
  const active = Object.values(body.positions[1].state.elements as Record<string, { node: string }>);
  expect(active.map(({ node }) => node)).toContain('large');
  expect((await positions('viewer', large)).status).toBe(404);
  expect((await positions('editor', 'nobody')).status).toBe(404);
  await host.store.query(`UPDATE instances SET redacted_variables = '{amount}' WHERE workflow_id = $1`, [large]);
  expect(await positions('editor', large)).toMatchObject({ status: 409 });
  await host.store.query(`UPDATE instances SET redacted_variables = '{}' WHERE workflow_id = $1`, [large]);
});

test('an instance that goes the same way has two equal runs', async () => {
  const backtestID = await compared(`/definitions/${definitionID}`);
  const { item, before, after } = await runsOf(backtestID, small);
  expect(item.outcome).toBe('SAME');
  expect(before!.visits.map(({ nodeID, at, counterpart }) => [nodeID, at, counterpart])).toEqual(
    after!.visits.map(({ nodeID, at }, index) => [nodeID, at, index + 1]),
  );
});

test('a draft is compared as it was, although it was deleted', async () => {
  const resourceID = await draft(checking(200));
  const backtestID = await compared(`/resources/${resourceID}`);
  const named = (await host.call('viewer', 'GET', `/bpmn/backtests/${backtestID}`)).body;
  expect(named).toMatchObject({ draftName: 'changed' });
  expect((await host.call('editor', 'DELETE', `/bpmn/resources/${resourceID}`)).status).toBe(204);
  expect(nodes((await runsOf(backtestID, large)).after)).toEqual(['start', 'large', 'end']);
  const unnamed = (await host.call('viewer', 'GET', `/bpmn/backtests/${backtestID}`)).body;
  expect(unnamed).not.toHaveProperty('draftName');
});

test('a backtest of a version names its number', async () => {
  const { body } = await host.call('editor', 'POST', `/bpmn/definitions/${definitionID}/backtests`, { json: {} });
  expect((await host.call('viewer', 'GET', `/bpmn/backtests/${body.backtestID}`)).body).toMatchObject({ version: 1 });
});

test('an instance that was skipped has no runs, and one that was redacted since says why', async () => {
  const before = await compared(`/resources/${await draft(checking(200))}`);
  await host.store.query(`UPDATE instances SET redacted_variables = '{amount}' WHERE workflow_id = $1`, [small]);
  expect(await runsOf(before, small)).toEqual({
    item: expect.objectContaining({ outcome: 'SAME' }) as object,
    problem: 'Values of the history were redacted',
  });
  const after = await compared(`/resources/${await draft(checking(200))}`);
  expect(await runsOf(after, small)).toEqual({
    item: { workflowID: small, outcome: 'SKIPPED', reason: 'Values of the history were redacted' },
  });
  await host.store.query(`UPDATE instances SET redacted_variables = '{}' WHERE workflow_id = $1`, [small]);
});

test('an unknown instance, and one of another project, is not found', async () => {
  const backtestID = await compared(`/resources/${await draft(checking(200))}`);
  expect((await get(backtestID, 'nobody')).status).toBe(404);
  expect((await get('00000000-0000-4000-8000-000000000000', large)).status).toBe(404);
  const token = await host.token('viewer', { projects: [{ id: 'p2', roles: ['viewer'] }] });
  const path = `/bpmn/backtests/${backtestID}/items/${large}`;
  expect((await host.api.request('GET', `/projects/p2${path}`, { token })).status).toBe(404);
  expect((await host.api.request('GET', `/projects/${project}${path}`, { token })).status).toBe(404);
});

test('a caller compares at most four at once', async () => {
  const backtestID = await compared(`/resources/${await draft(checking(200))}`);
  const answers = await Promise.all(Array.from({ length: 12 }, () => get(backtestID, large)));
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
});

test('nothing is read or compared for a caller who has left', async () => {
  const version = { backtestID: 'none', projectID: project, definitionID: null, graphSha256: 'none' };
  const turns = new FairTurns().of({ caller: 'eda', project, signal: AbortSignal.abort() });
  await expect(compareRuns(host.store, version, large, 'runs', turns)).rejects.toThrow(TurnCanceled);
});
