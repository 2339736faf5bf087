import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import {
  callActivity,
  endEvent,
  parallelGateway,
  processModel,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { deploy, jobOf, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const instance = (workflowID: string) => `/bpmn/instances/${workflowID}`;
const definition = (definitionID: string) => `/bpmn/definitions/${definitionID}`;
const admin = (path: string, json: Record<string, unknown> = {}) => host.call('admin', 'POST', path, { json });
const detail = async (workflowID: string) => (await host.call('viewer', 'GET', instance(workflowID))).body;
const waiting = async (workflowID: string) =>
  (await host.call('viewer', 'GET', `${instance(workflowID)}/suspension`)).body;

test('an instance is suspended with a reason and resumed, again and again without a change', async () => {
  const definitionID = await deploy(host, sequenceModel('paused', [serviceTask('work')]));
  const workflowID = await start(host, definitionID);
  expect((await admin(`${instance(workflowID)}/suspend`, { reason: 'audit' })).status).toBe(204);
  const suspended = await detail(workflowID);
  expect(suspended).toMatchObject({
    status: 'RUNNING',
    instanceSuspension: { suspendedBy: 'admin', reason: 'audit' },
    definitionSuspended: false,
    parentSuspended: false,
  });
  expect((await host.call('admin', 'POST', `${instance(workflowID)}/suspend`)).status).toBe(204);
  expect(await detail(workflowID)).toEqual(suspended);
  const { data } = (await host.call('viewer', 'GET', `/bpmn/instances?suspended=true&definitionID=${definitionID}`))
    .body;
  expect(data).toEqual([
    expect.objectContaining({
      workflowID,
      suspendedBy: 'admin',
      suspendReason: 'audit',
      suspendedAt: suspended.instanceSuspension.suspendedAt,
    }),
  ]);
  for (const _time of [1, 2])
    expect((await admin(`${instance(workflowID)}/resume`, { reason: 'done' })).status).toBe(204);
  expect((await detail(workflowID)).instanceSuspension).toBeUndefined();
});

test('only an admin may suspend and resume, and only what exists', async () => {
  const definitionID = await deploy(host, sequenceModel('guarded', [serviceTask('work')]));
  const workflowID = await start(host, definitionID);
  for (const verb of ['suspend', 'resume']) {
    expect((await host.call('editor', 'POST', `${instance(workflowID)}/${verb}`)).status).toBe(404);
    expect((await host.call('editor', 'POST', `${definition(definitionID)}/${verb}`)).status).toBe(404);
    expect((await admin(`${instance('nobody')}/${verb}`)).status).toBe(404);
    expect((await admin(`${definition('00000000-0000-4000-8000-000000000000')}/${verb}`)).status).toBe(404);
    expect((await admin(`${instance(workflowID)}/${verb}`, { why: 'no such member' })).status).toBe(400);
  }
  await host.call('editor', 'DELETE', instance(workflowID));
  for (const verb of ['suspend', 'resume'])
    expect(await admin(`${instance(workflowID)}/${verb}`)).toMatchObject({
      status: 409,
      body: { code: 'INSTANCE_ENDED' },
    });
});

test('the holder of a lease is answered at once that its result is kept, and the result counts after the resume', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('leased', [serviceTask('pack')])));
  const job = await takeJob(host, 'pack');
  await admin(`${instance(workflowID)}/suspend`);
  const complete = (more: Record<string, unknown>) =>
    host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
      json: { workflowID, ...more },
    });
  expect(await complete({})).toMatchObject({ status: 409, body: { code: 'SUSPENDED' } });
  expect(
    (
      await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/heartbeat`, {
        json: { clientID: 'worker-1' },
      })
    ).status,
  ).toBeLessThan(300);
  const kept = await complete({ clientID: 'worker-1', variables: { packed: true } });
  expect(kept).toMatchObject({ status: 202, body: { status: 'PENDING' } });
  expect(await complete({ clientID: 'worker-1', variables: { packed: true } })).toMatchObject({
    status: 202,
    body: { commandID: kept.body.commandID },
  });
  expect((await waiting(workflowID)).waiting).toEqual([expect.objectContaining({ kind: 'job', nodeID: 'pack' })]);
  await admin(`${instance(workflowID)}/resume`);
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { packed: true } });
  const outcome = await host.call('viewer', 'GET', `${instance(workflowID)}/commands/${kept.body.commandID}`);
  expect(outcome.body).toMatchObject({ status: 'APPLIED' });
});

test('a person cannot complete a task of a paused instance, but it can be assigned', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('people', [userTask('approve')])));
  const tasks = () => host.call('executor', 'GET', `${instance(workflowID)}/user-tasks`);
  const [task] = (await eventually(tasks, ({ body }) => body.data.length === 1)).body.data;
  await admin(`${instance(workflowID)}/suspend`);
  const path = `/bpmn/user-tasks/${task.executionKey}`;
  for (const [verb, json] of [
    ['complete', {}],
    ['error', { errorCode: 'E' }],
  ] as const) {
    expect(await host.call('executor', 'POST', `${path}/${verb}`, { json })).toMatchObject({
      status: 409,
      body: { code: 'SUSPENDED' },
    });
  }
  expect(await host.call('executor', 'PATCH', path, { json: { assignee: 'ada' } })).toMatchObject({
    status: 200,
    body: { assignee: 'ada' },
  });
});

test('a suspended definition starts nothing, pauses running instances, and shows it in every response', async () => {
  const definitionID = await deploy(host, sequenceModel('stopped', [serviceTask('stoppedWork')]), 'stopped.bpmn');
  const workflowID = await start(host, definitionID);
  const job = await jobOf(host, workflowID);
  expect((await admin(`${definition(definitionID)}/suspend`, { reason: 'a bug' })).status).toBe(204);
  expect(
    await host.call('executor', 'POST', '/bpmn/instances', { json: { processDefinitionID: definitionID } }),
  ).toMatchObject({ status: 409, body: { code: 'DEFINITION_SUSPENDED' } });
  const resourceID = (await host.call('viewer', 'GET', definition(definitionID))).body.resourceID as string;
  expect(await host.call('editor', 'POST', `/bpmn/resources/${resourceID}/test`, { json: {} })).toMatchObject({
    status: 409,
    body: { code: 'DEFINITION_SUSPENDED' },
  });
  expect(
    (
      await host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
        json: { taskType: 'stoppedWork', clientID: 'w', timeout: '0s' },
      })
    ).status,
  ).toBe(204);
  expect(
    await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, { json: { workflowID } }),
  ).toMatchObject({ status: 409, body: { code: 'SUSPENDED' } });
  expect(await detail(workflowID)).toMatchObject({
    definitionSuspended: true,
    definitionSuspension: { suspendedBy: 'admin', reason: 'a bug' },
  });
  expect((await host.call('viewer', 'GET', `/bpmn/resources/${resourceID}`)).body).toMatchObject({
    hasSuspendedDefinition: true,
    processes: [{ suspendReason: 'a bug' }],
  });
  const files = (await host.call('viewer', 'GET', '/bpmn/resources/latest?pageSize=100')).body.data;
  expect(files.filter((file: { hasSuspendedDefinition: boolean }) => file.hasSuspendedDefinition)).toEqual([
    expect.objectContaining({ latestResourceID: resourceID }),
  ]);
  const processes = (await host.call('viewer', 'GET', '/bpmn/processes?suspended=true')).body.data;
  expect(processes).toEqual([
    expect.objectContaining({ processID: 'stopped', suspendedVersionCount: 1, hasSuspendedDefinition: true }),
  ]);
  expect((await admin(`${definition(definitionID)}/resume`)).status).toBe(204);
  expect((await host.call('viewer', 'GET', `/bpmn/resources/${resourceID}`)).body).toMatchObject({
    hasSuspendedDefinition: false,
  });
  await takeJob(host, 'stoppedWork');
});

test('with instances: false, a definition starts nothing and its instances continue', async () => {
  const definitionID = await deploy(host, sequenceModel('draining', [serviceTask('drainedWork')]));
  const workflowID = await start(host, definitionID);
  const suspended = await admin(`${definition(definitionID)}/suspend`, { instances: false, reason: 'last orders' });
  expect(suspended.status).toBe(204);
  expect(
    await host.call('executor', 'POST', '/bpmn/instances', { json: { processDefinitionID: definitionID } }),
  ).toMatchObject({ status: 409, body: { code: 'DEFINITION_SUSPENDED' } });
  const startsSuspension = { suspendedAt: expect.any(String), suspendedBy: 'admin', reason: 'last orders' };
  const { body } = await host.call('viewer', 'GET', definition(definitionID));
  expect(body).toMatchObject({ startsSuspension });
  expect(body.suspendedAt).toBeUndefined();
  expect((await host.call('viewer', 'GET', '/bpmn/processes/draining/versions')).body.data).toMatchObject([
    { startsSuspension },
  ]);
  expect(await detail(workflowID)).toMatchObject({ definitionSuspended: false });
  const processes = (await host.call('viewer', 'GET', '/bpmn/processes?q=draining')).body.data;
  expect(processes).toMatchObject([{ suspendedVersionCount: 0, hasSuspendedDefinition: false }]);
  const job = await takeJob(host, 'drainedWork');
  const completed = await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID, clientID: 'worker-1' },
  });
  expect(completed.status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  expect((await admin(`${definition(definitionID)}/resume`)).status).toBe(204);
  expect((await host.call('viewer', 'GET', definition(definitionID))).body.startsSuspension).toBeUndefined();
  await start(host, definitionID);
});

test('with at, a worker suspends the definition then, in the name of who asked for it', async () => {
  const definitionID = await deploy(host, sequenceModel('scheduled', [serviceTask('work')]));
  const at = new Date(Date.now() + 1_500);
  const scheduled = await admin(`${definition(definitionID)}/suspend`, {
    at: at.toISOString(),
    reason: 'the year ends',
  });
  expect(scheduled.status).toBe(204);
  expect((await host.call('viewer', 'GET', definition(definitionID))).body).toMatchObject({
    scheduledSuspension: { at: at.toISOString(), instances: true, scheduledBy: 'admin', reason: 'the year ends' },
  });
  const { body } = await eventually(
    () => host.call('viewer', 'GET', definition(definitionID)),
    (answer) => answer.body.suspendedAt !== undefined,
  );
  expect(body).toMatchObject({ suspendedBy: 'admin', suspendReason: 'the year ends' });
  expect(Date.parse(body.suspendedAt)).toBeGreaterThanOrEqual(at.getTime());
  expect(body.scheduledSuspension).toBeUndefined();
  const entries = (await host.call('admin', 'GET', `/audit?definitionID=${definitionID}&order=asc`)).body.data;
  expect(entries.filter(({ operation }: { operation: string }) => operation === 'SuspendBpmnDefinition')).toMatchObject(
    [
      { actor: 'admin', via: 'REST', outcome: 'APPLIED' },
      { actor: 'admin', via: 'SCHEDULE', outcome: 'APPLIED', reason: 'the year ends' },
    ],
  );
});

test.each([
  ['more than 366 days ahead', { at: new Date(Date.now() + 367 * 86_400_000).toISOString() }],
  ['without a zone', { at: '2026-01-31T09:00:00' }],
  ['that is not a time', { at: 'tomorrow' }],
  ['that is null', { at: null }],
  ['with instances that are not a boolean', { instances: 'no' }],
])('a suspension at a time %s is refused', async (_what, json) => {
  const definitionID = await deploy(host, sequenceModel('refused', [serviceTask('work')]));
  expect((await admin(`${definition(definitionID)}/suspend`, json)).status).toBe(400);
});

test('a caller shows the call that waits for a suspended definition, and the called instance what pauses it', async () => {
  const called = await deploy(host, sequenceModel('calledLater', [serviceTask('later')]));
  const calling = await deploy(
    host,
    sequenceModel('callingNow', [callActivity('call', 'calledLater', { propagateAllChildVariables: true })]),
  );
  await admin(`${definition(called)}/suspend`, { reason: 'not yet' });
  const workflowID = await start(host, calling);
  const children = async () => (await host.call('viewer', 'GET', `${instance(workflowID)}/children`)).body.children;
  const [child] = await eventually(children, (all) => all.length === 1);
  expect(await waiting(workflowID)).toEqual({ waiting: [{ kind: 'call', nodeID: 'call', since: expect.any(String) }] });
  await admin(`${instance(workflowID)}/suspend`, { reason: 'above' });
  expect(await waiting(child.workflowID)).toMatchObject({
    definitionSuspension: { reason: 'not yet' },
    parentSuspension: { reason: 'above' },
    waiting: [],
  });
  await admin(`${definition(called)}/resume`);
  expect(await detail(child.workflowID)).toMatchObject({
    definitionSuspended: false,
    parentSuspended: true,
    parentSuspension: { suspendedBy: 'admin', reason: 'above' },
  });
  await admin(`${instance(workflowID)}/resume`);
  await takeJob(host, 'later');
});

test('tokens that wait at a joining gateway are shown by the flow they came on', async () => {
  const flow = (id: string, from: string, to: string) =>
    `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" />`;
  const flows = [
    flow('a', 'start', 'fork'),
    flow('b', 'fork', 'join'),
    flow('c', 'fork', 'slow'),
    flow('d', 'slow', 'join'),
    flow('e', 'join', 'end'),
  ].join('');
  const definitionID = await deploy(
    host,
    processModel(
      'joining',
      [
        startEvent('start'),
        parallelGateway('fork'),
        serviceTask('slow'),
        parallelGateway('join'),
        endEvent('end'),
        flows,
      ],
      [],
    ),
  );
  const workflowID = await start(host, definitionID);
  await jobOf(host, workflowID);
  expect((await detail(workflowID)).pendingJoinArrivals).toEqual({ join: { b: 1 } });
});

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test.each([
  ['a message', 'message', { text: 'short' }, {}],
  ['a signal', 'signal', { text: 'short' }, {}],
  ['a signal of a trace', 'signal', { text: 'short' }, { traceparent }],
  ['a signal without variables', 'signal', {}, { traceparent }],
  ['a signal with large variables', 'signal', { text: 'long'.repeat(5_000) }, { traceparent }],
])(
  '%s that comes to a paused instance is shown, and counts after the resume',
  async (_what, kind, variables, headers) => {
    const name = randomUUID();
    const event = `<bpmn:intermediateCatchEvent id="wait"><bpmn:${kind}EventDefinition ${kind}Ref="root" /></bpmn:intermediateCatchEvent>`;
    const correlation =
      kind === 'message'
        ? '<bpmn:extensionElements><zeebe:subscription correlationKey="=1" /></bpmn:extensionElements>'
        : '';
    const workflowID = await start(
      host,
      await deploy(
        host,
        sequenceModel(
          `paused-${kind}`,
          [event],
          `<bpmn:${kind} id="root" name="${name}">${correlation}</bpmn:${kind}>`,
        ),
      ),
    );
    await eventually(
      async () => (await host.store.query('SELECT 1 FROM subscriptions WHERE workflow_id = $1', [workflowID])).rowCount,
      (count) => count === 1,
    );
    await admin(`${instance(workflowID)}/suspend`);
    await host.call('executor', 'POST', `/bpmn/${kind}s`, {
      json: { [`${kind}Name`]: name, variables, ...(kind === 'message' && { correlationKeys: 1 }) },
      headers: { Prefer: 'wait=0', ...headers },
    });
    const shown = await eventually(
      async () => (await waiting(workflowID)).waiting,
      ({ length }) => length > 0,
    );
    expect(shown).toEqual([{ kind, nodeID: 'wait', name, since: expect.any(String) }]);
    await admin(`${instance(workflowID)}/resume`);
    expect((await untilStatus(host, workflowID, 'COMPLETED')).variables).toEqual(variables);
  },
);
