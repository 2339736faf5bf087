import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { eventually } from '../../support/eventually.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

type Role = Parameters<TestHost['call']>[0];

const put = (taskType: string, json: unknown, role: Role = 'admin') =>
  host.call(role, 'PUT', `/limits/${encodeURIComponent(taskType)}`, { json });
const remove = (taskType: string) => host.call('admin', 'DELETE', `/limits/${encodeURIComponent(taskType)}`);
const poll = (taskType: string, maxJobs = 10) =>
  host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
    json: { taskType, clientID: 'worker-1', maxJobs, timeout: '0s' },
  });
const limitOf = async (taskType: string, role: Role = 'admin') => {
  const { body } = await host.call(role, 'GET', '/limits?pageSize=100');
  return body.data.find((limit: { taskType: string }) => limit.taskType === taskType);
};

/** Starts an instance for each key; its job has the key, unless that is null. */
async function jobs(taskType: string, keys: readonly unknown[]): Promise<string[]> {
  const extensions = '<perdure:limit xmlns:perdure="urn:perdure:bpmn" key="=customer.id"/>';
  const model = sequenceModel(`process-${taskType}`, [serviceTask('work', { type: taskType, extensions })]);
  const definitionID = await deploy(host, model);
  const started: string[] = [];
  for (const id of keys) {
    started.push(await start(host, definitionID, { variables: { customer: { id } } }));
    await eventually(
      () => host.call('viewer', 'GET', `/bpmn/external-jobs?taskType=${taskType}`),
      ({ body }) => body.data.length === started.length,
    );
  }
  return started;
}

describe('a limit', () => {
  it('of any text is put, listed by task type, replaced, and deleted', async () => {
    const taskType = 'a/b ü:{}?';
    const limit = { concurrent: 2, rate: { count: 10, per: '1m30s' } };
    const answer = await put(taskType, { ...limit, reason: 'the service asked for it' });
    expect(answer).toMatchObject({
      status: 200,
      body: { taskType, concurrent: 2, rate: { count: 10, per: 'PT1M30S' }, leased: 0, held: 0, keys: [] },
    });
    await put('a', { concurrent: 1 });
    const { body } = await host.call('viewer', 'GET', '/limits');
    expect(body.data.map((one: { taskType: string }) => one.taskType)).toEqual(['a', taskType]);
    expect(body.pagination).toMatchObject({ total: 2 });
    const replaced = await put(taskType, { concurrent: 3 });
    expect(replaced.body).not.toHaveProperty('rate');
    expect((await remove(taskType)).status).toBe(204);
    expect((await remove(taskType)).status).toBe(204);
    expect(await limitOf(taskType)).toBeUndefined();
  });

  it.each([
    {},
    { concurrent: 0 },
    { concurrent: 100_001 },
    { concurrent: 1.5 },
    { concurrent: null },
    { rate: { count: 1 } },
    { rate: { count: 100_001, per: '1s' } },
    { rate: { count: 1, per: '999ms' } },
    { rate: { count: 1, per: 'PT24H1S' } },
    { concurrent: 1, unknown: true },
  ])('cannot be %j', async (json) => {
    expect((await put('refused', json)).status).toBe(400);
    expect(await limitOf('refused')).toBeUndefined();
  });

  it('is for admins, and its type has 1 to 255 characters', async () => {
    expect((await put('mine', { concurrent: 1 }, 'editor')).status).toBe(404);
    expect((await put('x'.repeat(255), { concurrent: 1 })).status).toBe(200);
    expect((await put('x'.repeat(256), { concurrent: 1 })).status).toBe(404);
  });

  it('is in the audit log with what it replaced', async () => {
    await put('audited', { concurrent: 2, reason: 'first' });
    await put('audited', { concurrent: 4 });
    const { body } = await host.call('admin', 'GET', '/audit?operation=PutLimit&pageSize=2');
    expect(body.data).toMatchObject([
      { details: { taskType: 'audited', concurrent: { from: 2, to: 4 } } },
      { reason: 'first', details: { taskType: 'audited', concurrent: { from: null, to: 2 } } },
    ]);
  });
});

describe('jobs that a limit holds back', () => {
  it('are counted, shown with the limit, and leased when a place is free', async () => {
    const [first, second, other, none] = await jobs('held', ['c-1', 'c-1', 1, null]);
    await takeJob(host, 'held');
    expect((await put('held', { concurrent: 1 })).body).toMatchObject({
      leased: 1,
      held: 1,
      keys: [{ key: 'c-1', leased: 1, held: 1 }],
    });
    const { body: leased } = await poll('held');
    expect(leased.map(({ workflowID }: { workflowID: string }) => workflowID)).toEqual([other, none]);
    expect(await limitOf('held')).toMatchObject({
      leased: 3,
      held: 1,
      keys: [
        { key: 'c-1', leased: 1, held: 1 },
        expect.objectContaining({ leased: 1, held: 0 }),
        expect.objectContaining({ leased: 1, held: 0 }),
      ],
    });
    expect(await limitOf('held', 'viewer')).not.toHaveProperty('keys');
    const { body: listed } = await host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=held&order=asc');
    expect(listed.data.map((job: { heldBy?: string }) => job.heldBy)).toEqual([
      undefined,
      'CONCURRENCY',
      undefined,
      undefined,
    ]);
    const { body: waits } = await host.call('viewer', 'GET', `/bpmn/instances/${second}/waits`);
    expect(waits.data).toMatchObject([{ kind: 'job', heldBy: 'CONCURRENCY', availableAt: listed.data[1].availableAt }]);
    const { body: of } = await host.call('viewer', 'GET', `/bpmn/instances/${second}/external-jobs`);
    expect(of.data).toMatchObject([{ status: 'PENDING', heldBy: 'CONCURRENCY' }]);
    const completed = await host.call(
      'executor',
      'POST',
      `/bpmn/external-jobs/${listed.data[0].executionKey}/complete`,
      {
        json: { workflowID: first, clientID: 'worker-1', poll: { taskType: 'held', maxJobs: 10 } },
      },
    );
    expect(completed.body.jobs).toMatchObject([{ workflowID: second }]);
  });

  it('by the rate are so until the window opens, and completions that poll keep to it', async () => {
    const [first] = await jobs('rated', ['x', 'x', 'x']);
    await put('rated', { rate: { count: 1, per: '2s' } });
    const [taken] = (await poll('rated')).body;
    expect(taken).toMatchObject({ workflowID: first });
    const completed = await host.call('executor', 'POST', `/bpmn/external-jobs/${taken.executionKey}/complete`, {
      json: { workflowID: first, clientID: 'worker-1', poll: { taskType: 'rated', maxJobs: 10 } },
    });
    expect(completed).toMatchObject({ status: 200, body: { jobs: [] } });
    const { body } = await host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=rated&status=PENDING');
    expect(body.data).toMatchObject([{ heldBy: 'RATE' }, { heldBy: 'RATE' }]);
    await takeJob(host, 'rated');
  });

  it('of tests are counted apart', async () => {
    await put('tested', { concurrent: 1 });
    await jobs('tested', ['x', 'x']);
    await takeJob(host, 'tested');
    expect(await limitOf('tested')).toMatchObject({ leased: 1, held: 1 });
  });
});

describe('the key of a job', () => {
  const keysOf = async (taskType: string) => (await limitOf(taskType)).keys.map(({ key }: { key: unknown }) => key);
  const fail = (job: { executionKey: string; workflowID: string }, more: object) =>
    host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/error`, {
      json: { workflowID: job.workflowID, clientID: 'worker-1', errorCode: 'BROKEN', errorMessage: 'broken', ...more },
    });
  const set = (workflowID: string, id: string) =>
    host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, {
      json: { variables: { customer: { id } } },
    });
  const complete = ({ executionKey, workflowID }: { executionKey: string; workflowID: string }) =>
    host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, {
      json: { workflowID, clientID: 'worker-1' },
    });

  it('is kept by a retry and by a migration, whatever the variables are by then', async () => {
    await put('kept', { concurrent: 1 });
    const [workflowID] = await jobs('kept', ['first']);
    const leased = await takeJob(host, 'kept');
    expect(await set(workflowID!, 'second')).toMatchObject({ status: 200 });
    expect(await fail(leased, { retryable: true, retryBackoff: '0s' })).toMatchObject({ status: 200 });
    await takeJob(host, 'kept');
    expect(await keysOf('kept')).toEqual(['first']);
    const extensions = '<perdure:limit xmlns:perdure="urn:perdure:bpmn" key="everyone"/>';
    await deploy(host, sequenceModel('process-kept', [serviceTask('work', { type: 'kept', extensions })]));
    const migrated = await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/migrate`, {
      json: { targetVersion: 2 },
    });
    expect(migrated).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
    expect(await keysOf('kept')).toEqual(['first']);
  });

  it('is evaluated again for the job that a resolved incident creates', async () => {
    await put('fresh', { concurrent: 1 });
    const [workflowID] = await jobs('fresh', ['first']);
    await fail(await takeJob(host, 'fresh'), { retryable: false });
    await set(workflowID!, 'second');
    const { body } = await eventually(
      () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`),
      (found) => found.body.data.length === 1,
    );
    await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/incidents/${body.data[0].incidentID}/resolve`, {
      json: {},
    });
    await takeJob(host, 'fresh');
    expect(await keysOf('fresh')).toEqual(['second']);
  });

  it('is removed when its instance is redacted, and when it is erased', async () => {
    const [redacted, erased] = await jobs('removed', ['secret-1', 'secret-2']);
    await complete(await takeJob(host, 'removed'));
    await complete(await takeJob(host, 'removed'));
    const stored = async (workflowID: string) =>
      (
        await host.store.query<{ limit_key: string | null; limit_group: string | null }>(
          'SELECT limit_key, limit_group FROM jobs WHERE workflow_id = $1',
          [workflowID],
        )
      ).rows;
    expect(await stored(redacted!)).toMatchObject([{ limit_key: '"secret-1"' }]);
    for (const workflowID of [redacted!, erased!]) await untilStatus(host, workflowID, 'COMPLETED');
    const json = { variables: ['customer'], reason: 'on request' };
    expect(await host.call('admin', 'POST', `/bpmn/instances/${redacted}/redact`, { json })).toMatchObject({
      status: 204,
    });
    expect(await host.call('admin', 'DELETE', `/bpmn/instances/${erased}/history`)).toMatchObject({ status: 204 });
    expect(await stored(redacted!)).toEqual([{ limit_key: null, limit_group: null }]);
    expect(await stored(erased!)).toEqual([]);
  });

  it('limits the jobs that come with the response to an error', async () => {
    await put('handed', { concurrent: 1 });
    const [first, second, other] = await jobs('handed', ['x', 'x', 'y']);
    const [x] = (await poll('handed', 1)).body;
    expect(x).toMatchObject({ workflowID: first });
    const failed = await fail(x, { retryable: true, retryBackoff: '1h', poll: { taskType: 'handed', maxJobs: 10 } });
    const handedOut = failed.body.jobs.map(({ workflowID }: { workflowID: string }) => workflowID);
    expect(new Set(handedOut)).toEqual(new Set([second, other]));
    const again = failed.body.jobs.find(({ workflowID }: { workflowID: string }) => workflowID === other);
    expect(
      await fail(again, { retryable: true, retryBackoff: '1h', poll: { taskType: 'handed', maxJobs: 10 } }),
    ).toMatchObject({
      body: { jobs: [] },
    });
  });
});
