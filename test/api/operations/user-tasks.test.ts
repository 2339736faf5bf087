import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, startTestHost, type TestHost } from './support/host.js';
import { sequenceModel, userTask } from '../../../packages/testkit/models/index.js';
import { deploy, start, until, untilStatus, withoutRequest } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const assignment = (attributes: string) => `<zeebe:assignmentDefinition ${attributes} />`;

/** An instance that waits for one user task. */
async function open(name: string, attributes = '', variables: Record<string, unknown> = {}) {
  const model = sequenceModel(`process-${name}`, [
    userTask(name, { formKey: `form-${name}`, extensions: attributes === '' ? '' : assignment(attributes) }),
  ]);
  const workflowID = await start(host, await deploy(host, model), { variables, businessId: `business-${name}` });
  const tasks = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
  const { body } = await until(tasks, ({ body: found }) => found.data.length === 1);
  return {
    workflowID,
    task: body.data[0] as Record<string, string>,
    at: `/bpmn/user-tasks/${body.data[0].executionKey}`,
  };
}

const keys = ({ body }: { body: { data: { executionKey: string }[] } }) =>
  body.data.map(({ executionKey }) => executionKey);

/** As a member with this subject and these groups. */
async function as(subject: string, groups: string[], method: string, path: string, json?: unknown) {
  const token = await host.token('viewer', { sub: subject, groups });
  return read(
    await host.api.request(method, `/projects/p1${path}`, { token, ...(json === undefined ? {} : { json }) }),
  );
}

test('an open task shows who it is for, its form and the variables at its node', async () => {
  const { workflowID, at } = await open('shown', 'assignee="ann" candidateUsers="bob, cid" candidateGroups="sales"', {
    total: 5,
  });
  const { status, body } = await host.call('executor', 'GET', at);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    workflowID,
    nodeID: 'shown',
    status: 'CREATED',
    assignee: 'ann',
    candidateUsers: ['bob', 'cid'],
    candidateGroups: ['sales'],
    formKey: 'form-shown',
    variables: { total: 5 },
    businessId: 'business-shown',
  });
});

test('a completed task gives its variables to the instance', async () => {
  const { workflowID, at } = await open('completed');
  expect(
    await host.call('executor', 'POST', `${at}/complete`, { json: { variables: { approved: true } } }),
  ).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { approved: true } });
  expect((await host.call('executor', 'GET', at)).body).toMatchObject({
    status: 'COMPLETED',
    completionVariables: { approved: true },
  });
  expect(await host.call('executor', 'POST', `${at}/complete`)).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
});

test('a task that fails without a catching event is an incident, and FAILED', async () => {
  const { workflowID, at } = await open('failed');
  expect((await host.call('executor', 'POST', `${at}/error`, { json: { errorCode: 'REFUSED' } })).status).toBe(200);
  expect((await host.call('executor', 'GET', at)).body).toMatchObject({ status: 'FAILED', errorCode: 'REFUSED' });
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`);
  expect(body.incidents).toEqual([
    expect.objectContaining({ nodeID: 'failed', errorType: 'BpmnError', errorCode: 'REFUSED' }),
  ]);
});

test.each([
  ['assignee', 'assignee="vera"'],
  ['candidate user', 'candidateUsers="vera"'],
  ['member of a candidate group', 'candidateGroups="clerks"'],
])('a viewer who is %s sees, gets and completes that task', async (who, attributes) => {
  const { task, at, workflowID } = await open(who.replaceAll(' ', '-'), attributes);
  expect(keys(await as('vera', ['clerks'], 'GET', '/bpmn/user-tasks/me'))).toContain(task['executionKey']);
  expect((await as('vera', ['clerks'], 'GET', at)).status).toBe(200);
  expect((await as('vera', ['clerks'], 'POST', `${at}/complete`)).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(keys(await as('vera', ['clerks'], 'GET', '/bpmn/user-tasks/me'))).not.toContain(task['executionKey']);
});

test('a viewer whom a task does not name gets the same answer as for no task at all', async () => {
  const { at } = await open('unnamed', 'assignee="ann" candidateGroups="admin"');
  const missing = '/bpmn/user-tasks/nothing:1';
  for (const [method, path, json] of [
    ['GET', '', undefined],
    ['POST', '/complete', {}],
    ['POST', '/error', { errorCode: 'E' }],
  ] as const) {
    const denied = await as('viewer', ['clerks'], method, `${at}${path}`, json);
    expect(denied.status).toBe(404);
    expect(withoutRequest(denied.body)).toEqual(
      withoutRequest((await as('viewer', [], method, `${missing}${path}`, json)).body),
    );
  }
});

test('a name that is not the subject, and a role that is called like a group, give no right', async () => {
  const { at } = await open('lookalike', 'assignee="ann" candidateGroups="admin"');
  const token = await host.token('viewer', {
    sub: 'not-ann',
    preferred_username: 'ann',
    email: 'ann',
    roles: ['admin'],
    groups: [],
  });
  expect((await host.api.request('GET', `/projects/p1${at}`, { token })).status).toBe(404);
});

test('the exception lowers the role, never the membership', async () => {
  const { at } = await open('membership', 'assignee="ann"');
  const token = await host.api.issuer.sign({ sub: 'ann', projects: [] });
  expect((await host.api.request('POST', `/projects/p1${at}/complete`, { token })).status).toBe(404);
});

test('an executor reassigns an open task; what is not named stays', async () => {
  const { at } = await open('reassigned', 'assignee="ann" candidateUsers="bob"');
  const patched = await host.call('executor', 'PATCH', at, { json: { assignee: 'dan' } });
  expect(patched).toMatchObject({ status: 200, body: { assignee: 'dan', candidateUsers: ['bob'] } });
  expect((await as('ann', [], 'GET', at)).status).toBe(404);
  expect((await as('dan', [], 'GET', at)).status).toBe(200);
  const freed = await host.call('executor', 'PATCH', at, { json: { assignee: null, candidateGroups: ['sales'] } });
  expect(freed.body).toMatchObject({ candidateUsers: ['bob'], candidateGroups: ['sales'] });
  expect(freed.body.assignee).toBeUndefined();
  await host.call('executor', 'POST', `${at}/complete`);
  expect(await host.call('executor', 'PATCH', at, { json: { assignee: 'eve' } })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
  expect((await host.call('executor', 'PATCH', '/bpmn/user-tasks/nothing:1', { json: {} })).status).toBe(404);
});

test('tasks are listed by every filter', async () => {
  const { task, workflowID } = await open(
    'filtered',
    'assignee="filter-ann" candidateUsers="filter-bob" candidateGroups="filter-sales"',
  );
  const list = async (query: string) => keys(await host.call('executor', 'GET', `/bpmn/user-tasks?${query}`));
  const queries = [
    `workflowID=${workflowID}`,
    'assignee=filter-ann',
    'candidateUser=filter-bob',
    'candidateGroup=filter-sales',
    'businessId=business-filtered',
  ];
  for (const query of queries) {
    expect(await list(`${query}&status=CREATED`), query).toEqual([task['executionKey']]);
    expect(await list(`${query}&status=COMPLETED`), query).toEqual([]);
  }
});

test('of two completions of one task one wins', async () => {
  const { at, workflowID } = await open('raced');
  const answers = await Promise.all(
    [1, 2, 3, 4].map((winner) => host.call('executor', 'POST', `${at}/complete`, { json: { variables: { winner } } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  await untilStatus(host, workflowID, 'COMPLETED');
});
