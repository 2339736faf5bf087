import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { callActivity, scriptTask, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, start, takeJob } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const wait = { prefer: 'wait=50' };
const startWith = (json: object, headers: Record<string, string> = {}) =>
  host.call('executor', 'POST', '/bpmn/instances', { json, headers });
const resultOf = (workflowID: string, headers: Record<string, string> = {}, query = '') =>
  host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/result${query}`, { headers });
const complete = (job: { executionKey: string; workflowID: string }, variables = {}) =>
  host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID: job.workflowID, clientID: 'worker-1', variables },
  });
const double = scriptTask('double', '=n * 2', 'doubled');
/** Pauses the test until the request has marked the instance. */
const untilAwaited = (workflowID: string) =>
  eventually(
    () =>
      host.store.query('SELECT FROM instances WHERE workflow_id = $1 AND result_awaited_until > now()', [workflowID]),
    ({ rowCount }) => rowCount === 1,
  );

test('a start that waits is answered with the result, which is read once', async () => {
  const definitionID = await deploy(host, sequenceModel('doubles', [double]));
  const query = vi.spyOn(host.store, 'query');
  const started = await startWith({ processId: 'doubles', variables: { n: 21 } }, wait);
  const named = query.mock.calls.map(([statement]) => (statement as unknown as { name?: string }).name);
  query.mockRestore();
  expect(started).toMatchObject({
    status: 201,
    body: {
      definitionID,
      processId: 'doubles',
      processVersion: 1,
      result: { status: 'COMPLETED', variables: { n: 21, doubled: 42 } },
    },
  });
  expect(named.filter((name) => name === 'start instance' || name === 'read result')).toEqual([
    'start instance',
    'read result',
  ]);
});

test('a start that does not wait has no result, and one that waits for nothing has the present state', async () => {
  const processDefinitionID = await deploy(host, sequenceModel('lasts', [serviceTask('lasts-work')]));
  expect((await startWith({ processDefinitionID })).body).not.toHaveProperty('result');
  const { body } = await startWith({ processDefinitionID }, { prefer: 'wait=0' });
  expect(body.result).toEqual({ workflowID: body.workflowID, status: 'RUNNING' });
  expect((await resultOf(body.workflowID)).body).toEqual(body.result);
  expect((await startWith({ processDefinitionID }, { prefer: 'wait=1' })).body.result.status).toBe('RUNNING');
});

test('a request for the result waits for the end, and returns the named variables only', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('awaited', [serviceTask('awaited-work')])));
  const asked = resultOf(workflowID, wait, '?fetchVariables=a,c');
  await untilAwaited(workflowID);
  await complete(await takeJob(host, 'awaited-work'), { a: 1, b: 2 });
  expect(await asked).toMatchObject({ status: 200, body: { status: 'COMPLETED', variables: { a: 1 } } });
  expect((await asked).body.variables).toEqual({ a: 1 });
  expect((await resultOf(workflowID)).body.variables).toEqual({ a: 1, b: 2 });
});

test('a wait ends at an open incident of a called instance', async () => {
  await deploy(host, sequenceModel('failsBelow', [scriptTask('divide', '=assert(1, false)', 'x')]));
  await deploy(
    host,
    sequenceModel('calls', [callActivity('call', 'failsBelow', { propagateAllChildVariables: true })]),
  );
  const { body } = await startWith({ processId: 'calls' }, wait);
  expect(body.result).toMatchObject({
    status: 'RUNNING',
    incidents: [{ nodeID: 'divide', errorType: 'FeelError' }],
  });
});

test('a canceled instance ends the wait without variables', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('canceled', [serviceTask('canceled-work')])));
  const asked = resultOf(workflowID, wait);
  await untilAwaited(workflowID);
  await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`);
  const { body } = await asked;
  expect(body.status).toBe('CANCELED');
  expect(body).not.toHaveProperty('variables');
});

test('a repeated start names the same instance and has its present result', async () => {
  await deploy(host, sequenceModel('repeated', [serviceTask('repeated-work')]));
  const request = () => startWith({ processId: 'repeated' }, { 'idempotency-key': 'once', prefer: 'wait=0' });
  const first = await request();
  await complete(await takeJob(host, 'repeated-work'), { done: true });
  const again = await eventually(request, ({ body }) => body.result.status === 'COMPLETED');
  expect(again.body).toMatchObject({ workflowID: first.body.workflowID, processVersion: 1 });
  expect(again.body.result.variables).toEqual({ done: true });
});

test('the newest version is started, or the one with the number or the tag', async () => {
  const tagged = (tag: string) =>
    sequenceModel('versions', [double]).replace(
      '<bpmn:startEvent',
      `<bpmn:extensionElements><zeebe:versionTag value="${tag}"/></bpmn:extensionElements><bpmn:startEvent`,
    );
  for (const tag of ['blue', 'green', 'green']) await deploy(host, tagged(tag));
  const versionOf = async (asked: object) => {
    const { status, body } = await startWith({ processId: 'versions', ...asked });
    return status === 201 ? body.processVersion : status;
  };
  expect(await versionOf({})).toBe(3);
  expect(await versionOf({ version: 2 })).toBe(2);
  expect(await versionOf({ versionTag: 'blue' })).toBe(1);
  expect(await versionOf({ versionTag: 'green' })).toBe(3);
  expect(await versionOf({ versionTag: 'red' })).toBe(404);
  expect(await versionOf({ version: 4 })).toBe(404);
  expect(await versionOf({ version: 1, versionTag: 'blue' })).toBe(400);
  expect((await startWith({ version: 1 })).status).toBe(400);
  expect((await startWith({ processId: 'no-such-process' })).status).toBe(404);
});

test('a suspended newest version refuses the start', async () => {
  await deploy(host, sequenceModel('halts', [double]));
  const newest = await deploy(host, sequenceModel('halts', [double]));
  await host.call('admin', 'POST', `/bpmn/definitions/${newest}/suspend`, { json: {} });
  expect(await startWith({ processId: 'halts' })).toMatchObject({
    status: 409,
    body: { code: 'DEFINITION_SUSPENDED' },
  });
  expect((await startWith({ processId: 'halts', version: 1 })).status).toBe(201);
});

test('the result of an unknown instance is not waited for', async () => {
  expect((await resultOf('no-such-instance', wait)).status).toBe(404);
});
