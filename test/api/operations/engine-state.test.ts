/** The state of an instance for programs that continue it in memory. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { scriptTask, sequenceModel, userTask } from '@perdure/testkit/models';
import { eventually } from '../../support/eventually.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, untilStatus } from './support/steps.js';

let host: TestHost;
let workflowID: string;

beforeAll(async () => {
  host = await startTestHost();
  const model = sequenceModel('state', [
    userTask('approve'),
    scriptTask('double', '=amount * 2', 'double'),
    userTask('check'),
  ]);
  workflowID = await start(host, await deploy(host, model), { variables: { amount: 21, iban: 'DE1' } });
  await complete('approve', { note: 'fine' });
});
afterAll(() => host.close());

async function complete(nodeID: string, variables: object) {
  const look = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
  const open = ({ body }: { body: any }) =>
    body.data?.find((task: any) => task.nodeID === nodeID && task.status === 'CREATED');
  const task = open(await eventually(look, (found) => open(found) !== undefined));
  await host.call('executor', 'POST', `/bpmn/user-tasks/${task.executionKey}/complete`, { json: { variables } });
}

const stateAt = (at?: number) =>
  host.call('editor', 'GET', `/bpmn/instances/${workflowID}/state${at === undefined ? '' : `?at=${at}`}`);
const waiting = () =>
  eventually(
    () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`),
    ({ body }) => body.activeScopes?.[0]?.activeNodes.check === 1,
  );

it('opens in memory at every position, and continues as the instance did', async () => {
  await waiting();
  const { body: newest, status } = await stateAt();
  expect(status).toBe(200);
  expect(newest).toMatchObject({ at: newest.last, state: { format: 1, workflowID }, graph: { processID: 'state' } });
  for (let at = 1; at <= newest.last; at++) {
    const { body } = await stateAt(at);
    expect(body.at).toBeGreaterThanOrEqual(at);
    const memory = new MemoryHost();
    const instance = memory.open(body);
    memory.now = newest.now;
    if (memory.waiting(instance).includes('userTask approve'))
      memory.completeTask(instance, 'approve', { note: 'fine' });
    expect(memory.waiting(instance), `at ${at}`).toEqual(['userTask check']);
    expect(instance.state.elements).toEqual(newest.state.elements);
  }
});

it('is for editors, names the positions that there are, and is the uniform 404 otherwise', async () => {
  expect((await host.call('executor', 'GET', `/bpmn/instances/${workflowID}/state`)).status).toBe(404);
  expect((await host.call('editor', 'GET', '/bpmn/instances/none/state')).status).toBe(404);
  const { body } = await stateAt();
  expect((await stateAt(body.last + 1)).status).toBe(400);
  expect((await stateAt(0)).status).toBe(400);
});

it('of an instance that has ended is its last one', async () => {
  await complete('check', {});
  await untilStatus(host, workflowID, 'COMPLETED');
  const { body } = await stateAt();
  expect(body.state.status).toBe('COMPLETED');
  expect(new MemoryHost().open(body).state.status).toBe('COMPLETED');
});

it('lacks redacted variables, wherever it has them', async () => {
  const given = { json: { variables: ['iban'] } };
  expect((await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/redact`, given)).status).toBe(204);
  for (const at of [1, undefined]) {
    const { status, body } = await stateAt(at);
    expect(status).toBe(200);
    expect(JSON.stringify(body.state)).not.toMatch(/iban|DE1/);
    expect(JSON.stringify(body.state)).toContain('amount');
  }
});
