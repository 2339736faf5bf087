/** The end of a job and the lease of the next ones in one request. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import {
  parallelGateway,
  processModel,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

interface Taken {
  executionKey: string;
  workflowID: string;
  leaseToken: string;
}

const jobs = (path: string, json: unknown, query = '') =>
  host.call('executor', 'POST', `/bpmn/external-jobs${path}${query}`, { json });
const poll = (taskType: string, clientID = 'worker-1') => jobs('/poll', { taskType, clientID, timeout: '0s' });
const complete = ({ executionKey, workflowID }: Taken, more: Record<string, unknown>) =>
  jobs(`/${executionKey}/complete`, { workflowID, clientID: 'worker-1', ...more });
const fail = ({ executionKey }: Taken, more: Record<string, unknown>) =>
  jobs(`/${executionKey}/error`, { clientID: 'worker-1', errorCode: 'E', ...more });

/** Starts `count` instances that each wait for one job of this type. */
async function waiting(taskType: string, count: number, variables: Record<string, unknown> = {}): Promise<string[]> {
  const definitionID = await deploy(
    host,
    sequenceModel(`process-${taskType}`, [serviceTask('work', { type: taskType })]),
  );
  const started: string[] = [];
  for (let number = 0; number < count; number += 1) started.push(await start(host, definitionID, { variables }));
  await eventually(
    () => host.call('viewer', 'GET', `/bpmn/external-jobs?taskType=${taskType}`),
    ({ body }) => body.data.length === count,
  );
  return started;
}

const keysOf = (taken: readonly Taken[]) => taken.map(({ workflowID }) => workflowID);

test('a completion that polls is answered with the next jobs, as a poll would give them', async () => {
  const started = await waiting('next', 4, { a: 1, b: 2 });
  const first = await takeJob(host, 'next');
  const answer = await complete(first, {
    poll: { taskType: 'next', maxJobs: 2, lockDuration: '1h', fetchVariables: ['b'] },
  });
  expect(answer).toMatchObject({ status: 200, body: { commandID: expect.any(String), status: 'APPLIED' } });
  const taken: (Taken & { lockExpiresAt: string; lockedBy: string })[] = answer.body.jobs;
  expect(new Set(keysOf([first, ...taken])).size).toBe(3);
  for (const job of taken) {
    expect(job).toMatchObject({
      taskType: 'next',
      status: 'PENDING',
      lockedBy: 'worker-1',
      leaseToken: '1',
      variables: { b: 2 },
    });
    expect(Date.parse(job.lockExpiresAt)).toBeGreaterThan(Date.now() + 30 * 60_000);
    expect(await complete(job, { leaseToken: job.leaseToken })).toMatchObject({
      status: 200,
      body: { status: 'APPLIED' },
    });
  }
  expect((await poll('next')).body).toHaveLength(1);
  expect(started).toHaveLength(4);
});

test('a completion that polls finds the next job of the same instance', async () => {
  const definitionID = await deploy(
    host,
    sequenceModel('in-sequence', [
      serviceTask('one', { type: 'in-sequence' }),
      serviceTask('two', { type: 'in-sequence' }),
    ]),
  );
  const workflowID = await start(host, definitionID);
  const { body } = await complete(await takeJob(host, 'in-sequence'), { poll: { taskType: 'in-sequence' } });
  expect(body.jobs).toEqual([expect.objectContaining({ workflowID, nodeID: 'two' })]);
});

test('without poll the answer to a completion has no jobs, and none is leased', async () => {
  await waiting('unasked', 2);
  const { body } = await complete(await takeJob(host, 'unasked'), {});
  expect(Object.keys(body).sort()).toEqual(['commandID', 'status']);
  expect((await poll('unasked')).body).toHaveLength(1);
});

test('a completion that polls does not wait for jobs unless it says so', async () => {
  const [workflowID] = await waiting('brief', 1);
  expect(await complete(await takeJob(host, 'brief'), { poll: { taskType: 'brief' } })).toMatchObject({
    status: 200,
    body: { jobs: [] },
  });
  await untilStatus(host, workflowID!, 'COMPLETED');
});

test('a job that appears reaches a completion that waits for it', async () => {
  const [first] = await waiting('patient', 1);
  const definitionID = await deploy(host, sequenceModel('patient-next', [serviceTask('work', { type: 'patient' })]));
  const waitingCompletion = complete(await takeJob(host, 'patient'), { poll: { taskType: 'patient', timeout: '20s' } });
  await untilStatus(host, first!, 'COMPLETED');
  const workflowID = await start(host, definitionID);
  expect((await waitingCompletion).body).toMatchObject({ status: 'APPLIED', jobs: [{ workflowID }] });
});

test('a refused completion leases nothing', async () => {
  await waiting('refused', 2);
  const job = await takeJob(host, 'refused');
  const polling = { poll: { taskType: 'refused', maxJobs: 10 } };
  expect(await complete(job, { clientID: 'another', ...polling })).toMatchObject({
    status: 409,
    body: { code: 'LEASE_LOST' },
  });
  expect(await complete({ ...job, executionKey: `${job.workflowID}:9999` }, polling)).toMatchObject({ status: 404 });
  expect(await complete({ ...job, workflowID: 'another' }, polling)).toMatchObject({ status: 404 });
  expect((await complete(job, { variables: { n: 1 } })).status).toBe(200);
  expect(await complete(job, { variables: { n: 2 }, ...polling })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
  expect((await poll('refused')).body, 'the other job is free').toHaveLength(1);
});

test('a repeated completion is answered with the first command and with fresh jobs', async () => {
  await waiting('repeated', 3);
  const job = await takeJob(host, 'repeated');
  const first = await complete(job, { poll: { taskType: 'repeated' } });
  const second = await complete(job, { poll: { taskType: 'repeated' } });
  expect(second).toMatchObject({ status: 200, body: { commandID: first.body.commandID, status: 'APPLIED' } });
  expect(new Set(keysOf([job, ...first.body.jobs, ...second.body.jobs])).size).toBe(3);
});

test('jobs leased for a client that has disconnected are free for the next one, with all their attempts', async () => {
  await waiting('left', 2);
  const job: Taken = await takeJob(host, 'left');
  const body = JSON.stringify({
    workflowID: job.workflowID,
    clientID: 'worker-1',
    poll: { taskType: 'left', lockDuration: '1h' },
  });
  const headers = { Authorization: `Bearer ${await host.token('executor')}`, 'Content-Type': 'application/json' };
  const url = `http://host/projects/p1/bpmn/external-jobs/${job.executionKey}/complete`;
  const answer = await host.api.app.request(
    new Request(url, { method: 'POST', headers, body, signal: AbortSignal.abort() }),
  );
  expect(await answer.json()).toMatchObject({ jobs: [] });
  expect((await poll('left', 'worker-2')).body).toEqual([
    expect.objectContaining({ lockedBy: 'worker-2', retries: 3 }),
  ]);
});

test('a result kept for a suspended instance is accepted, and leases the next jobs', async () => {
  const started = await waiting('kept', 2);
  const job: Taken = await takeJob(host, 'kept');
  expect(started).toContain(job.workflowID);
  expect((await host.call('admin', 'POST', `/bpmn/instances/${job.workflowID}/suspend`)).status).toBe(204);
  const answer = await complete(job, { poll: { taskType: 'kept' } });
  expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING' } });
  expect(keysOf(answer.body.jobs)).toEqual(started.filter((workflowID) => workflowID !== job.workflowID));
});

test('the end of a job with a wrong poll is 400, and the job is not ended', async () => {
  await waiting('strict', 1);
  const job = await takeJob(host, 'strict');
  for (const [wrong, path] of [
    [{ clientID: undefined, poll: { taskType: 'strict' } }, '/clientID'],
    [{ poll: {} }, '/poll/taskType'],
    [{ poll: { taskType: 'strict', clientID: 'worker-2' } }, '/poll'],
    [{ poll: { taskType: 'strict', maxJobs: 101 } }, '/poll/maxJobs'],
    [{ poll: { taskType: 'strict', timeout: '61s' } }, '/poll/timeout'],
    [{ poll: { taskType: 'strict', lockDuration: '999ms' } }, '/poll/lockDuration'],
    [{ poll: null }, '/poll'],
  ] as const) {
    const invalid = { status: 400, body: { code: 'BAD_REQUEST', details: { issues: [{ path }] } } };
    expect(await complete(job, wrong)).toMatchObject(invalid);
    expect(await fail(job, wrong)).toMatchObject(invalid);
  }
  expect(await complete(job, {})).toMatchObject({ status: 200 });
});

test('a reported failure that polls is answered with the next jobs, whatever the outcome of the failed one', async () => {
  await waiting('failing', 3);
  const first = await takeJob(host, 'failing');
  const requeued = await fail(first, { retryBackoff: '1h', poll: { taskType: 'failing' } });
  expect(requeued).toMatchObject({
    status: 200,
    body: { status: 'REQUEUED', retries: 2, jobs: [{ lockedBy: 'worker-1' }] },
  });
  const [second] = requeued.body.jobs as Taken[];
  const routed = await fail(second!, { retryable: false, poll: { taskType: 'failing' } });
  expect(routed).toMatchObject({ status: 200, body: { status: 'APPLIED', jobs: [{ lockedBy: 'worker-1' }] } });
  expect(new Set(keysOf([first, second!, ...routed.body.jobs])).size).toBe(3);
  const refused = await fail(second!, { clientID: 'another', retryable: false, poll: { taskType: 'failing' } });
  expect(refused.status).toBe(409);
  expect(refused.body.jobs).toBeUndefined();
});

test('the next jobs are those of the project of the request', async () => {
  await waiting('at-home', 1);
  const job = await takeJob(host, 'at-home');
  const foreign = await host.token('executor', { projects: [{ id: 'p2', roles: ['executor'] }] });
  const body = { workflowID: job.workflowID, clientID: 'worker-1', poll: { taskType: 'at-home' } };
  const answer = await host.api.request('POST', `/projects/p2/bpmn/external-jobs/${job.executionKey}/complete`, {
    token: foreign,
    json: body,
  });
  expect(answer.status).toBe(404);
});

test('the next jobs may be of another type', async () => {
  await waiting('this-type', 1);
  const [other] = await waiting('that-type', 1);
  const { body } = await complete(await takeJob(host, 'this-type'), { poll: { taskType: 'that-type' } });
  expect(keysOf(body.jobs)).toEqual([other]);
});

test('a process of which both branches wait gives the job of the other branch', async () => {
  const branches = [
    startEvent('start'),
    parallelGateway('split'),
    serviceTask('left', { type: 'branches' }),
    serviceTask('right', { type: 'branches' }),
    sequenceFlow('f0', 'start', 'split'),
    sequenceFlow('f1', 'split', 'left'),
    sequenceFlow('f2', 'split', 'right'),
  ];
  const workflowID = await start(host, await deploy(host, processModel('branches', [branches], [])));
  const first = await takeJob(host, 'branches');
  const second = await complete(first, { poll: { taskType: 'branches' } });
  expect(second.body.jobs).toEqual([expect.objectContaining({ workflowID })]);
  expect(await complete(second.body.jobs[0], { poll: { taskType: 'branches' } })).toMatchObject({
    status: 200,
    body: { jobs: [] },
  });
  await untilStatus(host, workflowID, 'COMPLETED');
});
