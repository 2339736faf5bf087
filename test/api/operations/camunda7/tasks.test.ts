/** The external task protocol, request by request as its public clients send them. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  boundaryEvent,
  endEvent,
  on,
  processModel,
  sequenceModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { eventually } from '../../../support/eventually.js';
import { deploy, start, takeJob, untilStatus } from '../support/steps.js';
import { startEngine, WORKER, type Engine } from './support/engine.js';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const instanceOf = async (workflowID: string) =>
  (await engine.host.call('executor', 'GET', `/bpmn/instances/${workflowID}`)).body;

const variablesOf = async (workflowID: string) =>
  (await engine.host.call('executor', 'GET', `/bpmn/instances/${workflowID}/variables`)).body.variables;

/** Lets the lease of a task end. */
const expire = (id: string) =>
  engine.host.store.query(
    `UPDATE jobs SET lock_expires_at = now() - interval '1 second', available_at = now() WHERE workflow_id || ':' || number = $1`,
    [id],
  );

describe('a fetched task', () => {
  it('has the members and the typed variables that clients read', async () => {
    const variables = {
      text: 'a',
      yes: true,
      count: 7,
      long: 4_000_000_000,
      price: 1.5,
      none: null,
      order: { items: [1] },
    };
    const extensions = '<zeebe:taskHeaders><zeebe:header key="url" value="https://example.org" /></zeebe:taskHeaders>';
    const workflowID = await engine.waiting('members', variables, extensions);
    const [task, ...others] = await engine.fetch('members');
    expect(others).toEqual([]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/);
    expect(task).toEqual({
      id: expect.stringMatching(`^${workflowID}:\\d+$`),
      executionId: task.id,
      activityInstanceId: task.id,
      activityId: 'work',
      processInstanceId: workflowID,
      processDefinitionId: expect.any(String),
      processDefinitionKey: 'process-members',
      processDefinitionVersionTag: null,
      topicName: 'members',
      workerId: WORKER,
      lockExpirationTime: time,
      createTime: time,
      retries: 3,
      priority: 0,
      businessKey: 'key-members',
      tenantId: null,
      suspended: false,
      errorMessage: null,
      errorDetails: null,
      variables: {
        text: { type: 'String', value: 'a', valueInfo: {} },
        yes: { type: 'Boolean', value: true, valueInfo: {} },
        count: { type: 'Integer', value: 7, valueInfo: {} },
        long: { type: 'Long', value: 4_000_000_000, valueInfo: {} },
        price: { type: 'Double', value: 1.5, valueInfo: {} },
        none: { type: 'Null', value: null, valueInfo: {} },
        order: { type: 'Json', value: '{"items":[1]}', valueInfo: {} },
      },
      extensionProperties: { url: 'https://example.org' },
    });
  });

  it('has only the variables that its topic names', async () => {
    await engine.waiting('chosen', { a: 1, b: 2 });
    const [task] = await engine.fetch('chosen', {}, { variables: ['b', 'c'] });
    expect(Object.keys(task.variables)).toEqual(['b']);
  });

  it('reaches a request that waits for it', async () => {
    const fetching = engine.fetch('awaited');
    await engine.waiting('awaited');
    expect(await fetching).toHaveLength(1);
  });

  it('is not there for a request that does not wait, whatever null members it has', async () => {
    const asked = { asyncResponseTimeout: null, usePriority: true, sorting: null };
    const topic = { variables: null, businessKey: null, processVariables: {}, tenantIdIn: [], withoutTenantId: true };
    expect(await engine.fetch('nothing-here', asked, topic)).toEqual([]);
  });
});

describe('the completion of a task', () => {
  it('sets variables of each type', async () => {
    const workflowID = await engine.waiting('typed');
    const [{ id }] = await engine.fetch('typed');
    const variables = {
      text: { value: 'a', type: 'String' },
      inferred: { value: true },
      long: { value: 9_007_199_254_740_991, type: 'Long', valueInfo: {} },
      at: { value: '2026-01-05T09:00:00.000+0100', type: 'Date' },
      json: { value: '{"a":[1,{"b":null}]}', type: 'json' },
      object: {
        value: '["x"]',
        type: 'Object',
        valueInfo: { objectTypeName: 'java.util.ArrayList', serializationDataFormat: 'application/json' },
      },
      none: { value: null, type: 'File' },
    };
    const localVariables = { local: { value: 1.5, type: 'Double' } };
    const completed = await engine.send(`/external-task/${id}/complete`, {
      workerId: WORKER,
      variables,
      localVariables,
    });
    expect(completed).toMatchObject({ status: 204, body: undefined });
    await untilStatus(engine.host, workflowID, 'COMPLETED');
    expect(await variablesOf(workflowID)).toMatchObject({
      text: 'a',
      inferred: true,
      long: 9_007_199_254_740_991,
      at: '2026-01-05T08:00:00.000Z',
      json: { a: [1, { b: null }] },
      object: ['x'],
      none: null,
      local: 1.5,
    });
  });

  it('takes effect once if two workers send it at once, and a repeat has the same answer', async () => {
    const workflowID = await engine.waiting('twice');
    const [{ id }] = await engine.fetch('twice');
    const complete = (value: number) =>
      engine.send(`/external-task/${id}/complete`, { workerId: WORKER, variables: { value: { value } } });
    const answers = await Promise.all([complete(1), complete(2)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    const winner = answers[0]!.status === 204 ? 1 : 2;
    expect((await complete(winner)).status).toBe(204);
    await untilStatus(engine.host, workflowID, 'COMPLETED');
    expect(await variablesOf(workflowID)).toMatchObject({ value: winner });
  });

  it('is 400 after the lock has expired, and the task goes to a job worker of the API', async () => {
    const workflowID = await engine.waiting('expired');
    const [{ id }] = await engine.fetch('expired');
    await expire(id);
    const late = await engine.send(`/external-task/${id}/complete`, { workerId: WORKER });
    expect(late).toMatchObject({
      status: 400,
      body: { type: 'InvalidRequestException', message: expect.stringContaining('the lease has expired'), code: null },
    });
    const job = await takeJob(engine.host, 'expired', 'own-worker');
    expect(job.executionKey).toBe(id);
    const other = await engine.send(`/external-task/${id}/complete`, { workerId: WORKER });
    expect(other).toMatchObject({ status: 400, body: { message: expect.stringContaining('another client holds it') } });
    const { status } = await engine.host.call('executor', 'POST', `/bpmn/external-jobs/${id}/complete`, {
      json: { workflowID, clientID: 'own-worker', leaseToken: job.leaseToken },
    });
    expect(status).toBe(200);
    await untilStatus(engine.host, workflowID, 'COMPLETED');
  });
});

test('both kinds of workers share one queue: no task goes to two of them', async () => {
  const definitionID = await deploy(
    engine.host,
    sequenceModel('shared-process', [serviceTask('work', { type: 'shared' })]),
  );
  for (let count = 0; count < 10; count += 1) await start(engine.host, definitionID);
  await eventually(
    () => engine.host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=shared&pageSize=20'),
    ({ body }) => body.data.length === 10,
  );
  const [theirs, ours] = await Promise.all([
    engine.fetch('shared', { maxTasks: 6 }),
    engine.host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
      json: { taskType: 'shared', clientID: 'ours', maxJobs: 6, timeout: '0s' },
    }),
  ]);
  const more = await engine.fetch('shared', { maxTasks: 6, asyncResponseTimeout: 0 });
  const ids = [...theirs, ...more].map(({ id }) => id).concat((ours.body ?? []).map((job: any) => job.executionKey));
  expect(new Set(ids).size).toBe(10);
  expect(ids).toHaveLength(10);
});

describe('the failure of a task', () => {
  it('leaves as many attempts as the worker says, from the time that it says', async () => {
    await engine.waiting('failing');
    const [{ id }] = await engine.fetch('failing');
    const fail = (more: object) => engine.send(`/external-task/${id}/failure`, { workerId: WORKER, ...more });
    const answer = await fail({ errorMessage: 'no stock', errorDetails: 'at line 1', retries: 7, retryTimeout: 0 });
    expect(answer.status).toBe(204);
    const [again] = await engine.fetch('failing');
    expect(again).toMatchObject({ id, retries: 7, errorMessage: 'no stock\n\nat line 1' });
    await fail({ errorMessage: 'no stock', retries: 1, retryTimeout: 3_600_000 });
    expect(await engine.fetch('failing', { asyncResponseTimeout: 0 })).toEqual([]);
    const { body } = await engine.host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=failing');
    expect(body.data[0]).toMatchObject({ retries: 1 });
    expect(Date.parse(body.data[0].availableAt)).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it('without attempts left is an incident with its message, of which details take what room there is', async () => {
    const workflowID = await engine.waiting('failed');
    const [{ id }] = await engine.fetch('failed');
    const failed = { workerId: WORKER, errorMessage: 'broken', errorDetails: 'x'.repeat(100_000), retries: 0 };
    expect((await engine.send(`/external-task/${id}/failure`, failed)).status).toBe(204);
    const { incidents } = await eventually(
      () => instanceOf(workflowID),
      (found) => found.incidents?.length > 0,
    );
    expect(JSON.stringify(incidents)).toContain('broken');
  });
});

test('a failure without attempts left is an incident although an error event catches every code', async () => {
  const model = processModel(
    'uncaught',
    [
      startEvent('start'),
      serviceTask('work', { type: 'uncaught' }),
      boundaryEvent('any', 'work', on.error()),
      endEvent('done'),
      endEvent('caught'),
    ],
    ['a: start -> work', 'b: work -> done', 'c: any -> caught'],
  );
  const workflowID = await start(engine.host, await deploy(engine.host, model));
  const [{ id }] = await engine.fetch('uncaught');
  const failed = { workerId: WORKER, errorMessage: 'broken', retries: 0 };
  for (const _ of ['once', 'again'])
    expect((await engine.send(`/external-task/${id}/failure`, failed)).status).toBe(204);
  const { status, incidents } = await eventually(
    () => instanceOf(workflowID),
    (found) => found.incidents?.length > 0,
  );
  expect({ status, incidents }).toMatchObject({
    status: 'RUNNING',
    incidents: [{ nodeID: 'work', errorCode: 'EXTERNAL_TASK_FAILED' }],
  });
});

test('a BPMN error goes to the event that catches it, with its variables', async () => {
  const model = processModel(
    'erring',
    [
      startEvent('start'),
      serviceTask('work', { type: 'erring' }),
      boundaryEvent('caught', 'work', on.error('sold-out')),
      endEvent('done'),
      endEvent('sold'),
    ],
    ['a: start -> work', 'b: work -> done', 'c: caught -> sold'],
    '<bpmn:error id="sold-out" errorCode="SOLD_OUT" />',
  );
  const workflowID = await start(engine.host, await deploy(engine.host, model));
  const [{ id }] = await engine.fetch('erring');
  const error = {
    workerId: WORKER,
    errorCode: 'SOLD_OUT',
    errorMessage: 'none left',
    variables: { left: { value: 0, type: 'Integer' } },
  };
  expect((await engine.send(`/external-task/${id}/bpmnError`, error)).status).toBe(204);
  await untilStatus(engine.host, workflowID, 'COMPLETED');
  expect(await variablesOf(workflowID)).toMatchObject({ left: 0 });
});

test('only the worker that holds a lock extends it', async () => {
  await engine.waiting('extended');
  const [{ id, lockExpirationTime }] = await engine.fetch('extended', {}, { lockDuration: 10_000 });
  const extend = (workerId: string) =>
    engine.send(`/external-task/${id}/extendLock`, { workerId, newDuration: 3_600_000 });
  expect((await extend('another')).status).toBe(404);
  expect((await extend(WORKER)).status).toBe(204);
  const { body } = await engine.host.call('viewer', 'GET', '/bpmn/external-jobs?taskType=extended');
  expect(Date.parse(body.data[0].lockExpiresAt)).toBeGreaterThan(
    Date.parse(lockExpirationTime.replace('+0000', 'Z')) + 3_000_000,
  );
});

test('an unlocked task is there for the next worker at once, and no longer for the one before', async () => {
  await engine.waiting('unlocked');
  const [{ id }] = await engine.fetch('unlocked', {}, { lockDuration: 3_600_000 });
  const next = engine.fetch('unlocked', { workerId: 'next' });
  expect((await engine.send(`/external-task/${id}/unlock`)).status).toBe(204);
  expect(await next).toMatchObject([{ id, workerId: 'next', retries: 3 }]);
  expect((await engine.send(`/external-task/${id}/complete`, { workerId: WORKER })).status).toBe(400);
  expect((await engine.send(`/external-task/${id}/complete`, { workerId: 'next' })).status).toBe(204);
  expect((await engine.send(`/external-task/${id}/unlock`)).status).toBe(404);
});
