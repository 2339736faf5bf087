/** Task listeners through the API: requests that wait for them, denials, corrections, and what readers see. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sequenceModel, taskListeners, userTask } from '@perdure/testkit/models';
import { eventually } from '../../support/eventually.js';
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
    () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/user-tasks`),
    (answer) => answer.body.data?.length === 1,
  );
  return body.data[0] as { executionKey: string; assignee?: string; listening?: string; priority: number };
}

const request = (executionKey: string, how: string, json: object = {}, more: object = {}) =>
  host.call('executor', 'POST', `/bpmn/user-tasks/${encodeURIComponent(executionKey)}/${how}`, { json, ...more });

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
      ({ body }) => body.data.length === 1,
    )
  ).body;
  expect(data).toMatchObject([{ kind: 'job', listener: { kind: 'TASK', eventType: 'creating' } }]);
  expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/user-tasks`)).body.data).toEqual([]);
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
  expect(await openTask(workflowID)).not.toHaveProperty('listening');

  const waiting = request(executionKey, 'complete', { variables: { amount: 2 } });
  await decide(workflowID, 'checked-l', { denied: true, deniedReason: 'amount is too small' });
  expect(await waiting).toMatchObject({ status: 409, body: { code: 'CONFLICT', message: 'amount is too small' } });

  const last = request(executionKey, 'complete', { variables: { amount: 3 } });
  await decide(workflowID, 'checked-l', { corrections: { assignee: 'eve', candidateUsers: null } });
  expect(await last).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { amount: 3 } });
  const done = await host.call('executor', 'GET', `/bpmn/user-tasks/${encodeURIComponent(executionKey)}`);
  expect(done.body).toMatchObject({ status: 'COMPLETED', assignee: 'eve', completionVariables: { amount: 3 } });
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
