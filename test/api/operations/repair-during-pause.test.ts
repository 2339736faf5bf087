import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { callActivity, scriptTask, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, jobOf, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const detail = async (workflowID: string) => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;
const admin = async (path: string, json?: unknown) =>
  host.call('admin', 'POST', path, json === undefined ? {} : { json });
const poll = async (taskType: string) =>
  (
    await host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
      json: { taskType, clientID: 'w', timeout: '0s' },
    })
  ).status;
const mapped = (source: string, target: string) => ({
  targetVersion: 2,
  elementMappings: [{ sourceElementID: source, targetElementID: target }],
});

test('a node that a modification starts in a paused instance begins on resume', async () => {
  const id = await start(
    host,
    await deploy(
      host,
      sequenceModel('placed', [
        serviceTask('placed-a'),
        scriptTask('placed-calc', '=6 * 7', 'answer'),
        serviceTask('placed-b'),
      ]),
    ),
  );
  await jobOf(host, id);
  expect((await admin(`/bpmn/instances/${id}/suspend`)).status).toBe(204);
  const instructions = [
    { type: 'CANCEL_TOKEN', nodeID: 'placed-a' },
    { type: 'START_BEFORE_NODE', nodeID: 'placed-calc' },
  ];
  expect(await admin(`/bpmn/instances/${id}/modify`, { instructions })).toMatchObject({
    status: 200,
    body: { status: 'APPLIED' },
  });
  expect(await detail(id)).toMatchObject({ variables: {}, activeScopes: [{ activeNodes: { 'placed-calc': 1 } }] });
  expect((await admin(`/bpmn/instances/${id}/resume`)).status).toBe(204);
  expect((await takeJob(host, 'placed-b')).variables).toEqual({ answer: 42 });
});

test('a paused instance is migrated, and what its worker sent in the meantime is applied in the new version', async () => {
  const first = await deploy(host, sequenceModel('parked', [serviceTask('parked-a')]));
  const id = await start(host, first);
  const job = await takeJob(host, 'parked-a');
  await deploy(host, sequenceModel('parked', [serviceTask('parked-b'), serviceTask('parked-last')]));
  await admin(`/bpmn/instances/${id}/suspend`);
  const complete = { json: { workflowID: id, clientID: 'worker-1', variables: { done: true } } };
  expect(
    (
      await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
        ...complete,
        headers: { Prefer: 'wait=0' },
      })
    ).status,
  ).toBe(202);
  expect(
    (await host.call('editor', 'POST', `/bpmn/instances/${id}/migrate`, { json: mapped('parked-a', 'parked-b') }))
      .status,
  ).toBe(200);
  expect(await detail(id)).toMatchObject({ processVersion: 2, activeScopes: [{ activeNodes: { 'parked-b': 1 } }] });
  expect(await poll('parked-last')).toBe(204);
  await admin(`/bpmn/instances/${id}/resume`);
  expect((await takeJob(host, 'parked-last')).variables).toEqual({ done: true });
});

test('an instance is migrated away from a suspended version and continues; what it has called continues with it', async () => {
  await deploy(host, sequenceModel('rescued-child', [serviceTask('rescued-inside')]));
  const model = (more: string[]) =>
    sequenceModel('rescued', [
      serviceTask('rescued-a'),
      callActivity('rescued-call', 'rescued-child', { propagateAllChildVariables: true }),
      ...more.map((id) => serviceTask(id)),
    ]);
  const first = await deploy(host, model([]));
  const [waiting, calling] = [await start(host, first), await start(host, first)];
  const job = (await jobOf(host, calling)).executionKey;
  await host.call('executor', 'POST', `/bpmn/external-jobs/${job}/complete`, { json: { workflowID: calling } });
  await eventually(
    () => host.call('viewer', 'GET', `/bpmn/instances/${calling}/children`),
    ({ body }) => body.children.length === 1,
  );
  await admin(`/bpmn/definitions/${first}/suspend`);
  expect(await poll('rescued-a')).toBe(204);
  expect(await poll('rescued-inside')).toBe(204);
  await deploy(host, model(['rescued-last']));
  const begun = await host.call('editor', 'POST', `/bpmn/definitions/${first}/migrate`, { json: { targetVersion: 2 } });
  const look = () => host.call('editor', 'GET', `/bpmn/migrations/${begun.body.migrationID}`);
  expect((await eventually(look, ({ body }) => body.status === 'COMPLETED')).body).toMatchObject({ migrated: 2 });
  // In this order, because a completed rescued-a leads to a second rescued-inside.
  for (const taskType of ['rescued-inside', 'rescued-a']) {
    const taken = await takeJob(host, taskType);
    await host.call('executor', 'POST', `/bpmn/external-jobs/${taken.executionKey}/complete`, {
      json: { workflowID: taken.workflowID, clientID: 'worker-1' },
    });
  }
  const last = await takeJob(host, 'rescued-last');
  await host.call('executor', 'POST', `/bpmn/external-jobs/${last.executionKey}/complete`, {
    json: { workflowID: last.workflowID },
  });
  await untilStatus(host, calling, 'COMPLETED');
  expect(await detail(waiting)).toMatchObject({ processVersion: 2 });
});

test('an instance that is migrated into a suspended version is paused from then on', async () => {
  const id = await start(host, await deploy(host, sequenceModel('sleepy', [serviceTask('sleepy-a')])));
  await jobOf(host, id);
  const second = await deploy(host, sequenceModel('sleepy', [serviceTask('sleepy-a')]));
  await admin(`/bpmn/definitions/${second}/suspend`);
  await host.call('editor', 'POST', `/bpmn/instances/${id}/migrate`, { json: { targetVersion: 2 } });
  expect(await poll('sleepy-a')).toBe(204);
  await admin(`/bpmn/definitions/${second}/resume`);
  expect((await takeJob(host, 'sleepy-a')).workflowID).toBe(id);
});
