/** Execution listeners through the API: their jobs, waits, failures, and the migration away from one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sequenceModel, serviceTask, type Listeners } from '@perdure/testkit/models';
import { eventually } from '../../support/eventually.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const model = (id: string, listeners: Listeners) =>
  sequenceModel(id, [serviceTask('work', { type: `${id}-work`, listeners })]);

const end = (executionKey: string, how: 'complete' | 'error', body: Record<string, unknown>) =>
  host.call('executor', 'POST', `/bpmn/external-jobs/${encodeURIComponent(executionKey)}/${how}`, { json: body });

const waitsOf = async (workflowID: string) =>
  (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/waits`)).body.data;

async function complete(workflowID: string, taskType: string, variables: Record<string, unknown> = {}) {
  const job = await takeJob(host, taskType);
  expect(await end(job.executionKey, 'complete', { workflowID, clientID: 'worker-1', variables })).toMatchObject({
    status: 200,
    body: { status: 'APPLIED' },
  });
  return job;
}

test('a worker takes the jobs of listeners, which say so in polls, lists, and waits', async () => {
  const workflowID = await start(host, await deploy(host, model('kinds', { start: ['kinds-s'], end: ['kinds-e'] })));
  const before = await takeJob(host, 'kinds-s');
  expect(before).toMatchObject({ nodeID: 'work', listener: { kind: 'EXECUTION', eventType: 'start' } });
  expect(await waitsOf(workflowID)).toMatchObject([
    { kind: 'job', nodeID: 'work', taskType: 'kinds-s', listener: { kind: 'EXECUTION', eventType: 'start' } },
  ]);
  const refused = { workflowID, clientID: 'worker-1', result: { isCompletionConditionFulfilled: true } };
  expect(await end(before.executionKey, 'complete', refused)).toMatchObject({ status: 400 });
  await end(before.executionKey, 'complete', { workflowID, clientID: 'worker-1', variables: { rating: 7 } });
  const work = await complete(workflowID, 'kinds-work');
  expect(work).toMatchObject({ variables: { rating: 7 } });
  expect(work.listener).toBeUndefined();
  await complete(workflowID, 'kinds-e', { archived: true });
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { archived: true } });
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  const shown = body.data.map(({ taskType, listener }: Record<string, unknown>) => [taskType, listener]);
  expect(Object.fromEntries(shown)).toEqual({
    'kinds-s': { kind: 'EXECUTION', eventType: 'start' },
    'kinds-work': undefined,
    'kinds-e': { kind: 'EXECUTION', eventType: 'end' },
  });
  const history = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/history`);
  const entry = history.body.data.find(({ nodeID }: { nodeID: string }) => nodeID === 'work');
  expect(entry.executionKey).toBe(work.executionKey);
});

test('a listener that fails for good is an incident with its type, and runs again when that is resolved', async () => {
  const workflowID = await start(host, await deploy(host, model('failing', { start: ['failing-s'] })));
  const job = await takeJob(host, 'failing-s');
  const failure = { errorCode: 'BROKEN', errorMessage: 'no network', clientID: 'worker-1', retryable: false };
  expect((await end(job.executionKey, 'error', failure)).status).toBe(200);
  const { data } = (
    await eventually(
      () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`),
      ({ body }) => body.data.length === 1,
    )
  ).body;
  expect(data[0]).toMatchObject({
    nodeID: 'work',
    errorCode: 'failing-s',
    errorMessage: 'The start listener failing-s of work failed with BROKEN: no network',
  });
  const path = `/bpmn/instances/${workflowID}/incidents/${data[0].incidentID}/resolve`;
  expect((await host.call('editor', 'POST', path, { json: {} })).status).toBe(200);
  await complete(workflowID, 'failing-s');
  await complete(workflowID, 'failing-work');
  await untilStatus(host, workflowID, 'COMPLETED');
});

test('a migration to a version without the listener cancels its job, and the element continues', async () => {
  const workflowID = await start(host, await deploy(host, model('moved', { start: ['moved-s'] })));
  const job = await takeJob(host, 'moved-s');
  await deploy(host, model('moved', {}));
  const migrated = await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/migrate`, {
    json: { targetVersion: 2 },
  });
  expect(migrated).toMatchObject({ status: 200 });
  await complete(workflowID, 'moved-work');
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await end(job.executionKey, 'complete', { workflowID, clientID: 'worker-1' })).toMatchObject({ status: 409 });
});

test('a model with a listener that would never run is refused, and names the place to put it', async () => {
  const xml = model('wrong', {}).replace(
    '<bpmn:startEvent id="start"/>',
    '<bpmn:startEvent id="start"><bpmn:extensionElements><zeebe:executionListeners><zeebe:executionListener eventType="start" type="x"/></zeebe:executionListeners></bpmn:extensionElements></bpmn:startEvent>',
  );
  const created = await host.call('editor', 'POST', '/bpmn/resources', { json: { name: 'wrong', xml } });
  const deployed = await host.call('editor', 'POST', `/bpmn/resources/${created.body.id}/deploy`);
  expect(deployed).toMatchObject({ status: 400, body: { code: 'INVALID_MODEL' } });
  expect(JSON.stringify(deployed.body)).toContain('put it at the start of the process or sub-process around the event');
});
