import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, startTestHost, type TestHost } from './support/host.js';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { deploy, start, untilStatus, withoutRequest } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

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
  const { body } = await eventually(tasks, ({ body: found }) => found.data.length === 1);
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

test('an open task shows its candidates, its form and the variables at its node', async () => {
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

const post = (at: string, json: unknown = {}, role = 'executor') => host.call(role as 'executor', 'POST', at, { json });

test('a viewer in the candidate group claims, comments on and completes a task; an outsider gets 404', async () => {
  const { at, workflowID } = await open('claimed', 'candidateGroups="clerks"');
  const vera = (method: string, path: string, json?: unknown) => as('vera', ['clerks'], method, `${at}${path}`, json);
  expect(await vera('POST', '/claim')).toMatchObject({
    status: 200,
    body: { assignee: 'vera', assignedBy: 'vera', assignedAt: expect.any(String) },
  });
  expect((await as('walt', ['clerks'], 'POST', `${at}/claim`)).status).toBe(409);
  expect((await as('walt', ['clerks'], 'POST', `${at}/unclaim`)).status).toBe(409);
  const outsider = [
    ['POST', '/claim', undefined],
    ['POST', '/unclaim', undefined],
    ['POST', '/comments', { text: 'hello' }],
    ['GET', '/comments', undefined],
  ] as const;
  for (const [method, path, json] of outsider)
    expect((await as('olaf', ['others'], method, `${at}${path}`, json)).status).toBe(404);
  expect(await vera('POST', '/comments', { text: 'Looks right' })).toMatchObject({
    status: 201,
    body: { author: 'vera', text: 'Looks right' },
  });
  expect(await vera('POST', '/complete', { expectedAssignee: 'walt' })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
  expect((await vera('POST', '/complete', { expectedAssignee: 'vera', reason: 'checked' })).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  const { body } = await host.call('executor', 'GET', at);
  expect(body).toMatchObject({ status: 'COMPLETED', completedBy: 'vera' });
  expect((await host.call('executor', 'GET', `${at}/comments`)).body.data).toMatchObject([{ text: 'Looks right' }]);
  expect((await vera('POST', '/comments', { text: 'late' })).status).toBe(409);
  expect((await vera('POST', '/claim')).status).toBe(409);
});

test('an executor releases and takes over a task, and says whose it was', async () => {
  const { at } = await open('released', 'assignee="ann"');
  expect((await as('ann', [], 'GET', at)).body.assignedBy).toBeUndefined();
  expect((await post(`${at}/unclaim`)).body.assignee).toBeUndefined();
  expect((await post(`${at}/unclaim`)).status).toBe(200);
  const take = (expectedAssignee: string | null) =>
    host.call('executor', 'PATCH', at, { json: { assignee: 'dan', expectedAssignee, reason: 'ann is ill' } });
  expect((await take('ann')).status).toBe(409);
  expect(await take(null)).toMatchObject({ status: 200, body: { assignee: 'dan' } });
});

test('a task shows its name, process and schedule, which an executor changes', async () => {
  const { at } = await open('scheduled');
  const { body } = await host.call('executor', 'GET', at);
  expect(body).toMatchObject({ priority: 50, processVersion: 1, processId: 'process-scheduled' });
  const changed = await host.call('executor', 'PATCH', at, {
    json: { dueDate: '2030-01-02T03:04:05+02:00', followUpDate: '2030-01-01T00:00:00Z', priority: 100 },
  });
  expect(changed.body).toMatchObject({
    dueDate: '2030-01-02T01:04:05.000Z',
    followUpDate: '2030-01-01T00:00:00.000Z',
    priority: 100,
  });
  expect((await host.call('executor', 'PATCH', at, { json: { dueDate: null } })).body.dueDate).toBeUndefined();
  for (const json of [{ priority: 101 }, { priority: 1.5 }, { dueDate: '2030-01-02' }, { reason: 'x'.repeat(1001) }])
    expect((await host.call('executor', 'PATCH', at, { json })).status).toBe(400);
});

test('a paused instance lets its tasks be claimed, released and commented on, but not ended', async () => {
  const { at, workflowID } = await open('paused');
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`, { json: {} });
  expect((await post(`${at}/claim`)).status).toBe(200);
  expect((await post(`${at}/comments`, { text: 'waiting' })).status).toBe(201);
  expect((await post(`${at}/unclaim`)).status).toBe(200);
  expect((await host.call('executor', 'PATCH', at, { json: { priority: 1 } })).status).toBe(200);
  expect((await post(`${at}/complete`)).body.code).toBe('SUSPENDED');
});

test('the inbox is filtered and sorted', async () => {
  const { task, at } = await open('inbox', 'assignee="iris"');
  await host.call('executor', 'PATCH', at, { json: { dueDate: '2029-01-01T00:00:00Z' } });
  const mine = async (query: string) => await as('iris', [], 'GET', `/bpmn/user-tasks/me?${query}`);
  const [key] = [task['executionKey']];
  for (const query of ['dueBefore=2029-01-01T00:00:00Z', 'nodeID=inbox', 'sort=dueDate&order=asc', 'unassigned=false'])
    expect(keys(await mine(query)), query).toEqual([key]);
  for (const query of ['dueBefore=2028-12-31T00:00:00Z', 'unassigned=true', 'processId=other', 'nameContains=nothing'])
    expect(keys(await mine(query)), query).toEqual([]);
  for (const query of ['status=CREATED', 'candidateUser=iris', 'sort=name', 'nameContains=xx', 'order=up'])
    expect((await mine(query)).status, query).toBe(400);
  const all = async (status: string) =>
    keys(await host.call('executor', 'GET', `/bpmn/user-tasks?assignee=iris&status=${status}`));
  expect(await all('COMPLETED,CREATED')).toEqual([key]);
  expect(await all('COMPLETED,FAILED')).toEqual([]);
  expect((await host.call('executor', 'GET', '/bpmn/user-tasks?status=CREATED,OPEN')).status).toBe(400);
});

test('a list is streamed as one JSON document per line', async () => {
  const opened = [await open('line-1', 'assignee="liz"'), await open('line-2', 'assignee="liz"')];
  const stream = async (path: string) => {
    const token = await host.token('executor', { sub: 'liz', groups: [] });
    return host.api.request('GET', `/projects/p1/bpmn/user-tasks${path}`, {
      token,
      headers: { Accept: 'application/x-ndjson' },
    });
  };
  const executionKeys = async (response: Response) =>
    (await response.text())
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { executionKey: string }).executionKey);
  const expected = opened.map(({ task }) => task['executionKey']);
  const response = await stream('?assignee=liz&order=asc');
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(await executionKeys(response)).toEqual(expected);
  expect(await executionKeys(await stream('/me'))).toEqual(expected.toReversed());
  expect(await executionKeys(await stream('?assignee=nobody'))).toEqual([]);
  for (const query of ['page=1', 'pageSize=20', 'sort=createdAt'])
    expect((await stream(`?${query}`)).status, query).toBe(400);
});
