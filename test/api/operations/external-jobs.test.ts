import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import {
  boundaryEvent,
  endEvent,
  on,
  processModel,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { deploy, jobOf, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const jobs = (path: string, json?: unknown) => host.call('executor', 'POST', `/bpmn/external-jobs${path}`, { json });
const poll = (taskType: string, more: Record<string, unknown> = {}) =>
  jobs('/poll', { taskType, clientID: 'worker-1', timeout: '0s', ...more });

/** An instance that waits for one job of this type. */
async function waiting(
  taskType: string,
  options: { retries?: number; extensions?: string } = {},
  variables: Record<string, unknown> = {},
) {
  const definitionID = await deploy(
    host,
    sequenceModel(`process-${taskType}`, [serviceTask('work', { type: taskType, ...options })]),
  );
  return {
    definitionID,
    workflowID: await start(host, definitionID, { variables, businessId: `business-${taskType}` }),
  };
}

test('jobs leased to a client that has gone away in the meantime are there for the next one, with all their attempts', async () => {
  await waiting('gone-away');
  await eventually(
    async () => (await host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=gone-away')).body.data,
    (data) => data.length === 1,
  );
  const body = JSON.stringify({ taskType: 'gone-away', clientID: 'gone', timeout: '0s', lockDuration: '1h' });
  const headers = { Authorization: `Bearer ${await host.token('executor')}`, 'Content-Type': 'application/json' };
  const answer = await host.api.app.request(
    new Request('http://host/projects/p1/bpmn/external-jobs/poll', {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.abort(),
    }),
  );
  expect(answer.status).toBe(204);
  expect((await poll('gone-away')).body).toEqual([expect.objectContaining({ lockedBy: 'worker-1', retries: 3 })]);
});

test('a job that appears reaches a poll that waits', async () => {
  const definitionID = await deploy(host, sequenceModel('long-poll', [serviceTask('long-poll-work')]));
  const waitingPoll = poll('long-poll-work', { timeout: '20s' });
  const workflowID = await start(host, definitionID, { variables: { a: 1 } });
  const { status, body } = await waitingPoll;
  expect(status).toBe(200);
  expect(body).toEqual([
    {
      id: expect.any(String),
      executionKey: expect.stringMatching(`^${workflowID}:`),
      workflowID,
      nodeID: 'long-poll-work',
      taskType: 'long-poll-work',
      variables: { a: 1 },
      status: 'PENDING',
      retries: 3,
      priority: 0,
      availableAt: body[0].lockExpiresAt,
      definitionID,
      processId: 'long-poll',
      createdAt: expect.any(String),
      lockedBy: 'worker-1',
      lockExpiresAt: expect.any(String),
      leaseToken: expect.any(String),
    },
  ]);
});

test('a poll names one type, or several each once', async () => {
  const several = (...names: string[]) =>
    host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
      json: { taskTypes: names.map((taskType) => ({ taskType })), clientID: 'worker-1', timeout: '20s', maxJobs: 2 },
    });
  const definitionID = await deploy(host, sequenceModel('several', [serviceTask('several-work')]));
  await start(host, definitionID);
  expect((await several('several-none', 'several-work')).body).toMatchObject([{ taskType: 'several-work' }]);
  expect((await several('twice', 'twice')).status).toBe(400);
  expect((await several()).status).toBe(400);
  expect((await poll('one', { taskTypes: [{ taskType: 'two' }] })).status).toBe(400);
});

test('an editor changes a pending job within the limits', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('patched', [serviceTask('patched-work')])));
  const { executionKey } = await jobOf(host, workflowID);
  const change = (json: object) => host.call('editor', 'PATCH', `/bpmn/external-jobs/${executionKey}`, { json });
  const availableAt = new Date(Date.now() + 3_600_000).toISOString();
  expect(await change({ priority: -5, retries: 9, availableAt, reason: 'later' })).toMatchObject({
    status: 200,
    body: { executionKey, priority: -5, retries: 9, availableAt },
  });
  for (const wrong of [{}, { retries: 0 }, { priority: 2 ** 31 }, { availableAt: '2999-01-01T00:00:00Z' }])
    expect((await change(wrong)).status).toBe(400);
});

test('a poll for which no job comes returns 204', async () => {
  expect(await poll('nothing-of-this-type')).toMatchObject({ status: 204, body: undefined });
});

test('a job carries its headers, mapped variables, business id, and only the requested variables', async () => {
  const extensions =
    '<zeebe:taskHeaders><zeebe:header key="url" value="https://example.org" /></zeebe:taskHeaders><zeebe:ioMapping><zeebe:input source="=a + 1" target="b" /></zeebe:ioMapping>';
  await waiting('mapped', { extensions }, { a: 1, c: { d: true } });
  const { body } = await poll('mapped', { timeout: '20s', fetchVariables: ['b', 'c', 'toString'] });
  expect(body[0]).toMatchObject({
    headers: { url: 'https://example.org' },
    variables: { b: 2, c: { d: true } },
    businessId: 'business-mapped',
  });
  expect(Object.keys(body[0].variables)).toEqual(['b', 'c']);
});

test('a poll takes as many jobs as it asks for, and none that another holds', async () => {
  const { definitionID } = await waiting('many');
  await start(host, definitionID);
  await start(host, definitionID);
  await eventually(
    () => host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=many'),
    ({ body }) => body.data.length === 3,
  );
  const [first, second] = await Promise.all([
    poll('many', { maxJobs: 2 }),
    poll('many', { maxJobs: 2, clientID: 'worker-2' }),
  ]);
  const keys = [first, second].flatMap(({ body }) =>
    (body ?? []).map(({ executionKey }: { executionKey: string }) => executionKey),
  );
  expect(new Set(keys).size).toBe(3);
  expect((await poll('many', { maxJobs: 2 })).status).toBe(204);
});

test.each([
  { maxJobs: 0 },
  { maxJobs: 101 },
  { maxJobs: 1.5 },
  { lockDuration: '999ms' },
  { lockDuration: '25h' },
  { lockDuration: 'soon' },
  { lockDuration: 30 },
  { timeout: '61s' },
  { timeout: '-1s' },
  { clientID: '' },
  { taskType: 'x'.repeat(256) },
  { worker: 'me' },
])('a poll with %j is 400', async (wrong) => {
  expect(await jobs('/poll', { taskType: 'x', clientID: 'c', timeout: '0s', ...wrong })).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST' },
  });
});

test.each(['30s', '1m30s', 'PT30S', '1500ms', 'P1D', '24h'])(
  'a lock duration can be written %s',
  async (lockDuration) => {
    expect((await poll('nothing', { lockDuration })).status).toBe(204);
  },
);

test('a completion merges its variables, and repeating it gives the first answer', async () => {
  const { workflowID } = await waiting('completed', {}, { a: 1 });
  const job = await takeJob(host, 'completed');
  const complete = (more: Record<string, unknown>) =>
    jobs(`/${job.executionKey}/complete`, { workflowID, clientID: 'worker-1', ...more });
  const first = await complete({ variables: { b: { c: 2 } } });
  expect(first).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect((await complete({ variables: { b: { c: 2 } } })).body).toEqual(first.body);
  expect(await complete({ variables: { b: { c: 3 } } })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(await complete({ variables: { b: { c: 2 } }, clientID: 'worker-2' })).toMatchObject({ status: 409 });
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { a: 1, b: { c: 2 } } });
  const listed = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  expect(listed.body.data).toEqual([
    expect.objectContaining({ executionKey: job.executionKey, status: 'COMPLETED', completedAt: expect.any(String) }),
  ]);
});

test('of fifty completions of one job exactly one wins', async () => {
  const { workflowID } = await waiting('raced');
  const job = await takeJob(host, 'raced');
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, winner) =>
      jobs(`/${job.executionKey}/complete`, { workflowID, variables: { winner } }),
    ),
  );
  const won = answers.flatMap(({ status }, winner) => (status === 200 ? [winner] : []));
  expect(won).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { winner: won[0] } });
});

test('a lease that has moved on cannot complete, and changes nothing', async () => {
  const { workflowID } = await waiting('leased');
  const job = await takeJob(host, 'leased', 'slow');
  await host.store.query(
    "UPDATE jobs SET lock_expires_at = now() - interval '1 second', available_at = now() - interval '1 second' WHERE workflow_id = $1",
    [workflowID],
  );
  await takeJob(host, 'leased', 'fast');
  const late = await jobs(`/${job.executionKey}/complete`, { workflowID, clientID: 'slow', variables: { by: 'slow' } });
  expect(late).toMatchObject({ status: 409, body: { code: 'LEASE_LOST' } });
  expect((await jobs(`/${job.executionKey}/error`, { clientID: 'slow', errorCode: 'E' })).body.code).toBe('LEASE_LOST');
  expect((await jobs(`/${job.executionKey}/heartbeat`, { clientID: 'slow' })).status).toBe(404);
  expect(
    (await jobs(`/${job.executionKey}/complete`, { workflowID, clientID: 'fast', variables: { by: 'fast' } })).status,
  ).toBe(200);
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { by: 'fast' } });
});

test('a heartbeat extends the lease of its holder', async () => {
  await waiting('beating');
  const job = await takeJob(host, 'beating');
  const beat = await jobs(`/${job.executionKey}/heartbeat`, { clientID: 'worker-1', lockDuration: '1h' });
  expect(beat.status).toBe(200);
  expect(Date.parse(beat.body.lockExpiresAt)).toBeGreaterThan(Date.parse(job.lockExpiresAt));
  const { body } = await host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=beating');
  expect(body.data[0].lockExpiresAt).toBe(beat.body.lockExpiresAt);
});

test('a technical failure is retried until its attempts are used up, then it is an incident', async () => {
  const { workflowID } = await waiting('failing', { retries: 2 });
  const job = await takeJob(host, 'failing');
  const fail = () =>
    jobs(`/${job.executionKey}/error`, { clientID: 'worker-1', errorCode: 'DOWN', errorMessage: 'no connection' });
  expect(await fail()).toMatchObject({ status: 200, body: { status: 'REQUEUED', retries: 1 } });
  expect((await takeJob(host, 'failing')).executionKey).toBe(job.executionKey);
  expect(await fail()).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`);
  expect(body).toMatchObject({
    status: 'RUNNING',
    error: true,
    incidents: [{ nodeID: 'work', errorType: 'BpmnError', errorCode: 'DOWN' }],
  });
  const listed = (await host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=failing&status=FAILED')).body;
  expect(listed.data).toEqual([expect.objectContaining({ status: 'FAILED', errorCode: 'DOWN' })]);
});

test('a job that backs off is not leased before its time', async () => {
  await waiting('backing-off');
  const job = await takeJob(host, 'backing-off');
  const failed = await jobs(`/${job.executionKey}/error`, {
    clientID: 'worker-1',
    errorCode: 'BUSY',
    retryBackoff: 'PT1H',
  });
  expect(failed.body).toEqual({ status: 'REQUEUED', retries: 2 });
  expect((await poll('backing-off')).status).toBe(204);
});

test('a BPMN error goes to the boundary event that catches its code', async () => {
  const definitionID = await deploy(
    host,
    processModel(
      'caught',
      [
        startEvent('start'),
        sequenceFlow('f0', 'start', 'work'),
        serviceTask('work', { type: 'caught' }),
        boundaryEvent('catch', 'work', on.error('sold-out')),
        sequenceFlow('f1', 'work', 'end'),
        endEvent('end'),
        sequenceFlow('f2', 'catch', 'caught-end'),
        endEvent('caught-end'),
      ],
      [],
      '<bpmn:error id="sold-out" errorCode="SOLD_OUT" />',
    ),
  );
  const workflowID = await start(host, definitionID);
  const job = await takeJob(host, 'caught');
  const thrown = await jobs(`/${job.executionKey}/error`, {
    clientID: 'worker-1',
    errorCode: 'SOLD_OUT',
    retryable: false,
  });
  expect(thrown).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  await untilStatus(host, workflowID, 'COMPLETED');
  const history = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/history`)).body.data;
  expect(history.map(({ nodeID, status }: Record<string, string>) => `${nodeID} ${status}`)).toEqual([
    'start Completed',
    'work Failed',
    'catch Completed',
    'caught-end Completed',
  ]);
});

test('a batch has one result per item, whatever the outcomes of the others', async () => {
  const { definitionID, workflowID } = await waiting('batched');
  const other = await start(host, definitionID);
  await eventually(
    () => host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=batched'),
    ({ body }) => body.data.length === 2,
  );
  const { body: taken } = await poll('batched', { maxJobs: 2 });
  const keyOf = (of: string) => taken.find((job: { workflowID: string }) => job.workflowID === of).executionKey;
  const items = [
    { executionKey: keyOf(workflowID), workflowID, variables: { n: 1 } },
    { executionKey: `${workflowID}:9999`, workflowID },
    { executionKey: keyOf(workflowID), workflowID: other },
    { executionKey: keyOf(other), workflowID: other },
  ];
  const { status, body } = await jobs('/batch/complete', { clientID: 'worker-1', items });
  expect(status).toBe(200);
  expect(body.results.map(({ status: result }: { status: string }) => result)).toEqual([
    'completed',
    'error',
    'error',
    'completed',
  ]);
  expect(body.results[1].error).toMatch(/^NOT_FOUND/);
  await untilStatus(host, workflowID, 'COMPLETED');
  await untilStatus(host, other, 'COMPLETED');
  expect(await jobs('/batch/complete', { items: [] })).toMatchObject({ status: 400 });
});

test('a batch of errors requeues those that may be tried again and fails the others', async () => {
  const { workflowID } = await waiting('batch-errors', { retries: 2 });
  const last = await waiting('batch-last', { retries: 1 });
  const [first, second] = [await takeJob(host, 'batch-errors'), await takeJob(host, 'batch-last')];
  const items = [
    { executionKey: first.executionKey, workflowID, errorCode: 'E' },
    { executionKey: second.executionKey, workflowID: last.workflowID, errorCode: 'E' },
  ];
  const { body } = await jobs('/batch/error', { clientID: 'worker-1', items });
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['requeued', 'failed']);
});

test('jobs are listed by every filter, and counted by type', async () => {
  const { workflowID } = await waiting('listed');
  const job = await takeJob(host, 'listed');
  const list = async (query: string) =>
    (await host.call('viewer', 'GET', `/bpmn/external-jobs?${query}`)).body.data.map(
      ({ executionKey }: { executionKey: string }) => executionKey,
    );
  expect(await list('taskType=listed&status=PENDING')).toEqual([job.executionKey]);
  expect(await list(`workflowID=${workflowID}`)).toEqual([job.executionKey]);
  expect(await list('businessId=business-listed')).toEqual([job.executionKey]);
  expect(await list('taskType=listed&status=COMPLETED')).toEqual([]);
  expect(await list('taskType=listed&createdAfter=2100-01-01T00:00:00Z')).toEqual([]);
  const depth = async (query = '') =>
    (await host.call('viewer', 'GET', `/bpmn/external-jobs/queue-depth${query}`)).body.items;
  expect(await depth()).toContainEqual({ taskType: 'listed', pendingCount: 1 });
  expect(await depth('?createdAfter=2100-01-01T00:00:00Z')).toEqual([]);
  const workers = (await host.call('viewer', 'GET', '/bpmn/external-jobs/workers?pageSize=100')).body.data;
  expect(workers).toContainEqual({ taskType: 'listed', clientID: 'worker-1', lastSeenAt: expect.any(String) });
});

test('a job is named by its own instance and its own project', async () => {
  const { workflowID } = await waiting('named');
  const job = await takeJob(host, 'named');
  const foreign = await host.token('executor', { projects: [{ id: 'p2', roles: ['executor'] }] });
  const from = (path: string, json: unknown) =>
    host.api.request('POST', `/projects/p2/bpmn/external-jobs/${path}`, { token: foreign, json });
  expect((await from(`${job.executionKey}/complete`, { workflowID })).status).toBe(404);
  expect((await from(`${job.executionKey}/error`, { errorCode: 'E' })).status).toBe(404);
  expect((await from('poll', { taskType: 'named', clientID: 'c', timeout: '0s' })).status).toBe(204);
  expect((await jobs(`/${job.executionKey}/complete`, { workflowID: 'another' })).status).toBe(404);
  expect((await jobs('/no-such-job/complete', { workflowID })).status).toBe(404);
  expect((await jobs(`/${workflowID}:99999999999/complete`, { workflowID })).status).toBe(404);
});
