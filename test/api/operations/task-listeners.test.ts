/** Task listeners through the API: requests that wait for them, denials, corrections, and what readers see. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundaryEvent, endEvent, on, sequenceModel, taskListeners, userTask } from '@perdure/testkit/models';
import { eventually } from '../../support/eventually.js';
import { simpleModel } from '../../support/models.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

type Listeners = Parameters<typeof taskListeners>[0];

const model = (id: string, listeners: Listeners, more = {}) =>
  sequenceModel(id, [userTask('review', { ...more, extensions: taskListeners(listeners) })]);

const AT_ONCE = { headers: { prefer: 'wait=0' } };

async function openTask(workflowID: string) {
  const { body } = await eventually(
    () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`),
    (answer) => answer.body.data?.length === 1,
  );
  return body.data[0] as {
    executionKey: string;
    assignee?: string;
    listening?: string;
    denied?: object;
    priority: number;
  };
}

/** @param json claims and their opposite take no body */
const request = (executionKey: string, how: string, json: object = {}, more: object = {}) =>
  host.call('executor', 'POST', `/bpmn/user-tasks/${encodeURIComponent(executionKey)}/${how}`, {
    ...(!how.endsWith('claim') && { json }),
    ...more,
  });

async function decide(workflowID: string, taskType: string, result?: object) {
  const job = await takeJob(host, taskType);
  const answer = await host.call(
    'executor',
    'POST',
    `/bpmn/external-jobs/${encodeURIComponent(job.executionKey)}/complete`,
    { json: { workflowID, clientID: 'worker-1', ...(result && { result }) } },
  );
  return { job, answer };
}

const commandOf = (workflowID: string, commandID: string, status: string) =>
  eventually(
    () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/commands/${commandID}`),
    ({ body }) => body.status === status,
  );

test('no list has the task while listeners of its creation run, and they correct it', async () => {
  const workflowID = await start(
    host,
    await deploy(host, model('made', { creating: ['made-l'] }, { assignee: 'ada' })),
  );
  const { data } = (
    await eventually(
      () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/waits`),
      ({ body }) => body.data[0]?.kind === 'job',
    )
  ).body;
  expect(data).toMatchObject([{ kind: 'job', listener: { kind: 'TASK', eventType: 'creating' } }]);
  expect((await host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`)).body.data).toEqual([]);
  const denied = await decide(workflowID, 'made-l', { denied: true });
  expect(denied.answer).toMatchObject({ status: 400 });
  const again = await host.call(
    'executor',
    'POST',
    `/bpmn/external-jobs/${encodeURIComponent(denied.job.executionKey)}/complete`,
    {
      json: {
        workflowID,
        clientID: 'worker-1',
        result: { corrections: { assignee: '', priority: 9, candidateGroups: ['staff'] } },
      },
    },
  );
  expect(again.status).toBe(200);
  const task = await openTask(workflowID);
  expect(task).toMatchObject({ priority: 9, candidateGroups: ['staff'] });
  expect(task.assignee).toBeUndefined();
});

test('a completion waits for its listeners: the task says so, others are refused, and a denial tells the reason', async () => {
  const workflowID = await start(host, await deploy(host, model('checked', { completing: ['checked-l'] })));
  const { executionKey } = await openTask(workflowID);
  const asked = await request(executionKey, 'complete', { variables: { amount: 0 } }, AT_ONCE);
  expect(asked).toMatchObject({ status: 202, body: { status: 'PENDING' } });
  await eventually(
    () => openTask(workflowID),
    ({ listening }) => listening === 'completing',
  );
  expect((await request(executionKey, 'complete')).status).toBe(409);
  expect((await request(executionKey, 'claim')).status).toBe(409);
  await decide(workflowID, 'checked-l', { denied: true, deniedReason: 'amount is 0' });
  expect((await commandOf(workflowID, asked.body.commandID, 'REJECTED')).body).toMatchObject({
    code: 'CONFLICT',
    message: 'amount is 0',
  });
  const after = await openTask(workflowID);
  expect(after).not.toHaveProperty('listening');
  expect(after.denied).toEqual({ eventType: 'completing', reason: 'amount is 0', at: expect.any(String) });

  const waiting = request(executionKey, 'complete', { variables: { amount: 2 } });
  await decide(workflowID, 'checked-l', { denied: true, deniedReason: 'amount is too small' });
  expect(await waiting).toMatchObject({ status: 409, body: { code: 'CONFLICT', message: 'amount is too small' } });

  const last = request(executionKey, 'complete', { variables: { amount: 3 } });
  await decide(workflowID, 'checked-l', { corrections: { assignee: 'eve', candidateUsers: null } });
  expect(await last).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { amount: 3 } });
  const done = await host.call('executor', 'GET', `/bpmn/user-tasks/${encodeURIComponent(executionKey)}`);
  expect(done.body).toMatchObject({ status: 'COMPLETED', assignee: 'eve', completionVariables: { amount: 3 } });
  expect(done.body).not.toHaveProperty('denied');
});

const untilAsked = (workflowID: string, listening: string | undefined) =>
  eventually(
    () => openTask(workflowID),
    (task) => task.listening === listening,
  );

test('of two requests at once one is decided about, and the other is refused', async () => {
  const workflowID = await start(host, await deploy(host, model('raced', { assigning: ['raced-l'] })));
  const { executionKey } = await openTask(workflowID);
  const answers = await Promise.all([
    request(executionKey, 'claim', {}, AT_ONCE),
    request(executionKey, 'claim', {}, AT_ONCE),
    request(executionKey, 'complete', {}, AT_ONCE),
  ]);
  const accepted = answers.filter(({ status }) => status === 202);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3 - accepted.length);
  // A completion that came first has ended the task, because no listener decides about it.
  expect(accepted).toHaveLength(1);
});

test('while a listener decides about the assignee of the model, the task takes comments and no other request', async () => {
  const workflowID = await start(
    host,
    await deploy(host, model('modeled', { assigning: ['modeled-l'] }, { assignee: 'ada' })),
  );
  const { executionKey } = await openTask(workflowID);
  expect(await untilAsked(workflowID, 'assigning')).not.toHaveProperty('assignee');
  const path = `/bpmn/user-tasks/${encodeURIComponent(executionKey)}`;
  expect((await host.call('executor', 'PATCH', path, { json: { priority: 1 } })).status).toBe(409);
  expect((await request(executionKey, 'claim')).status).toBe(409);
  expect((await request(executionKey, 'complete')).status).toBe(409);
  expect((await request(executionKey, 'comments', { text: 'Who decides?' })).status).toBe(201);
  await decide(workflowID, 'modeled-l', { corrections: { assignee: 'grace' } });
  expect(await untilAsked(workflowID, undefined)).toMatchObject({ assignee: 'grace' });
});

test('the job of a listener tells about the task as people have changed it', async () => {
  const workflowID = await start(
    host,
    await deploy(host, model('told', { completing: ['told-1', 'told-2'] }, { candidateGroups: 'staff' })),
  );
  const { executionKey } = await openTask(workflowID);
  await host.call('executor', 'PATCH', `/bpmn/user-tasks/${encodeURIComponent(executionKey)}`, {
    json: { assignee: 'ada', dueDate: '2027-01-01T00:00:00Z', priority: 70 },
  });
  await request(executionKey, 'complete', {}, AT_ONCE);
  const { job } = await decide(workflowID, 'told-1', { corrections: { assignee: '', priority: 71 } });
  expect(job.headers).toEqual({
    'io.camunda.zeebe:action': 'complete',
    'io.camunda.zeebe:assignee': 'ada',
    'io.camunda.zeebe:candidateGroups': '["staff"]',
    'io.camunda.zeebe:dueDate': '2027-01-01T00:00:00.000Z',
    'io.camunda.zeebe:priority': '70',
    'io.camunda.zeebe:userTaskKey': executionKey,
  });
  const second = await decide(workflowID, 'told-2');
  expect(second.job.headers).toMatchObject({
    'io.camunda.zeebe:changedAttributes': '["assignee","priority"]',
    'io.camunda.zeebe:priority': '71',
    'io.camunda.zeebe:dueDate': '2027-01-01T00:00:00.000Z',
  });
  expect(second.job.headers).not.toHaveProperty('io.camunda.zeebe:assignee');
  await untilStatus(host, workflowID, 'COMPLETED');
});

test('viewers see the job of a task listener without the people of the task', async () => {
  const workflowID = await start(
    host,
    await deploy(host, model('shown', { completing: ['shown-l'] }, { assignee: 'ada', candidateGroups: 'staff' })),
  );
  const { executionKey } = await openTask(workflowID);
  await request(executionKey, 'complete', {}, AT_ONCE);
  await untilAsked(workflowID, 'completing');
  for (const path of ['/bpmn/external-jobs?taskType=shown-l', `/bpmn/instances/${workflowID}/external-jobs`]) {
    const jobsOf = async (role: 'viewer' | 'executor') => (await host.call(role, 'GET', path)).body.data;
    expect(await jobsOf('executor')).toMatchObject([{ headers: { 'io.camunda.zeebe:assignee': 'ada' } }]);
    const [shown] = await jobsOf('viewer');
    expect(shown).toMatchObject({ workflowID, headers: {} });
    expect(JSON.stringify(shown)).not.toMatch(/ada|staff/);
  }
});

test('a paused instance takes no request that listeners decide about, and one that waits for them does not wait for the resume', async () => {
  const workflowID = await start(
    host,
    await deploy(host, model('stopped', { assigning: ['stopped-a'], completing: ['stopped-l'] })),
  );
  const { executionKey } = await openTask(workflowID);
  const waits = await request(executionKey, 'complete', {}, AT_ONCE);
  await untilAsked(workflowID, 'completing');
  expect((await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`)).status).toBe(204);
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/suspension`);
  expect(body.waiting).toEqual([]);
  expect((await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/resume`)).status).toBe(204);
  await decide(workflowID, 'stopped-l', { denied: true });
  await commandOf(workflowID, waits.body.commandID, 'REJECTED');
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`);
  expect(await request(executionKey, 'claim')).toMatchObject({ status: 409, body: { code: 'SUSPENDED' } });
});

test('the cancel of an instance does not wait for listeners, and ends the request', async () => {
  const workflowID = await start(host, await deploy(host, model('dropped', { completing: ['dropped-l'] })));
  const { executionKey } = await openTask(workflowID);
  const waits = await request(executionKey, 'complete', {}, AT_ONCE);
  await untilAsked(workflowID, 'completing');
  expect((await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`)).status).toBe(204);
  await untilStatus(host, workflowID, 'CANCELED');
  await commandOf(workflowID, waits.body.commandID, 'REJECTED');
});

const withTimer = (listeners: Listeners) =>
  simpleModel(
    [
      userTask('review', { extensions: taskListeners(listeners) }),
      boundaryEvent('late', 'review', on.timer('PT10H')),
      endEvent('done'),
      endEvent('overdue'),
    ],
    ['f1: s -> review', 'f2: review -> done', 'f3: late -> overdue'],
  );

async function fireTimer(workflowID: string): Promise<void> {
  const { data } = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/waits`)).body;
  const { timerID } = data.find(({ kind }: { kind: string }) => kind === 'timer');
  const fired = await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/timers/${timerID}/fire`, { json: {} });
  expect(fired.status).toBe(204);
}

test('an event that interrupts the task ends a request, and does not wait for the listeners that decide about it', async () => {
  const workflowID = await start(host, await deploy(host, withTimer({ completing: ['late-l'] })));
  const { executionKey } = await openTask(workflowID);
  const waits = await request(executionKey, 'complete', {}, AT_ONCE);
  await untilAsked(workflowID, 'completing');
  await fireTimer(workflowID);
  await untilStatus(host, workflowID, 'COMPLETED');
  const { body } = await commandOf(workflowID, waits.body.commandID, 'REJECTED');
  expect(body.message).toContain('no longer open');
});

test('an event that interrupts the task waits for the listeners of its cancellation, and the task takes no request', async () => {
  const xml = withTimer({ completing: ['ends-l'], canceling: ['cleans-up'] });
  const workflowID = await start(host, await deploy(host, xml));
  const { executionKey } = await openTask(workflowID);
  const waits = await request(executionKey, 'complete', {}, AT_ONCE);
  await untilAsked(workflowID, 'completing');
  await fireTimer(workflowID);
  await untilAsked(workflowID, 'canceling');
  const { body } = await commandOf(workflowID, waits.body.commandID, 'REJECTED');
  expect(body.message).toBe('The task is being canceled: interrupted by boundary event late');
  expect((await request(executionKey, 'complete')).status).toBe(409);
  expect((await request(executionKey, 'claim')).status).toBe(409);
  const { job } = await decide(workflowID, 'cleans-up');
  expect(job).toMatchObject({ listener: { kind: 'TASK', eventType: 'canceling' } });
  await untilStatus(host, workflowID, 'COMPLETED');
  const after = await host.call('executor', 'GET', `/bpmn/user-tasks/${encodeURIComponent(executionKey)}`);
  expect(after.body).toMatchObject({ status: 'CANCELED' });
  expect(after.body).not.toHaveProperty('listening');
});

test('the timeline and the audit log have the request with the outcome that its listeners give it', async () => {
  const workflowID = await start(host, await deploy(host, model('logged', { assigning: ['logged-l'] })));
  const { executionKey } = await openTask(workflowID);
  const waits = await request(executionKey, 'claim', {}, AT_ONCE);
  const timeline = async () => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/timeline`)).body.data;
  expect(await timeline()).toContainEqual(
    expect.objectContaining({ kind: 'ASSIGN_USER_TASK', outcome: 'PENDING', executionKey }),
  );
  await decide(workflowID, 'logged-l', { denied: true, deniedReason: 'on vacation' });
  await commandOf(workflowID, waits.body.commandID, 'REJECTED');
  expect(await timeline()).toContainEqual(
    expect.objectContaining({ kind: 'ASSIGN_USER_TASK', outcome: 'REJECTED', message: 'on vacation' }),
  );
});

test('a claim and an update wait for their listeners, and take effect with corrections', async () => {
  const workflowID = await start(
    host,
    await deploy(host, model('given', { assigning: ['given-a'], updating: ['given-u'] })),
  );
  const { executionKey } = await openTask(workflowID);
  const claim = request(executionKey, 'claim', {});
  await decide(workflowID, 'given-a');
  const claimed = await claim;
  expect(claimed.status).toBe(200);
  expect(claimed.body.assignee).toBe(claimed.body.assignedBy);
  const path = `/bpmn/user-tasks/${encodeURIComponent(executionKey)}`;
  const update = host.call('executor', 'PATCH', path, { json: { priority: 70, dueDate: '2027-01-01T00:00:00Z' } });
  await decide(workflowID, 'given-u', { corrections: { priority: 60, dueDate: '' } });
  const updated = await update;
  expect(updated).toMatchObject({ status: 200, body: { priority: 60, assignee: claimed.body.assignee } });
  expect(updated.body).not.toHaveProperty('dueDate');
  const unclaim = request(executionKey, 'unclaim', {}, AT_ONCE);
  expect(await unclaim).toMatchObject({ status: 202 });
  await decide(workflowID, 'given-a', { denied: true });
  await eventually(
    () => openTask(workflowID),
    ({ listening }) => listening === undefined,
  );
  expect((await openTask(workflowID)).assignee).toBe(claimed.body.assignee);
  expect((await request(executionKey, 'complete')).status).toBe(200);
});

test('a migration to a version without the listeners ends a request that waits for them', async () => {
  const workflowID = await start(host, await deploy(host, model('left', { completing: ['left-l'] })));
  const { executionKey } = await openTask(workflowID);
  const asked = await request(executionKey, 'complete', {}, AT_ONCE);
  await takeJob(host, 'left-l');
  await deploy(host, model('left', {}, { name: 'new' }));
  const migrated = await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/migrate`, {
    json: { targetVersion: 2 },
  });
  expect(migrated).toMatchObject({ status: 200 });
  await commandOf(workflowID, asked.body.commandID, 'APPLIED');
  await untilStatus(host, workflowID, 'COMPLETED');
});
