/** Restarting ended instances, and starting at given nodes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callActivity,
  endEvent,
  on,
  processModel,
  root,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let twoJobs: string;

beforeAll(async () => {
  host = await startTestHost();
  twoJobs = await deploy(host, sequenceModel('twoJobs', [serviceTask('one'), serviceTask('two')]));
});
afterAll(() => host.close());

const restart = (workflowID: string, json: object = {}, role: 'executor' | 'admin' = 'executor', headers = {}) =>
  host.call(role, 'POST', `/bpmn/instances/${workflowID}/restart`, { json: { reason: 'again', ...json }, headers });
const detail = async (workflowID: string) => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;
const finish = async (taskType: string, variables: object = {}) => {
  const { executionKey, workflowID } = await takeJob(host, taskType);
  const json = { workflowID, clientID: 'worker-1', variables };
  const completed = await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, { json });
  expect(completed.status, JSON.stringify(completed.body)).toBeLessThan(300);
  return workflowID as string;
};

async function ended(variables: object): Promise<string> {
  const workflowID = await start(host, twoJobs, { variables, businessId: 'order-17' });
  await finish('one', { paid: true });
  await finish('two', { total: 99 });
  await untilStatus(host, workflowID, 'COMPLETED');
  return workflowID;
}

describe('a restart', () => {
  it('begins with the variables that the ended instance began with, and names it', async () => {
    const old = await ended({ total: 1, name: 'Ann' });
    const { status, body } = await restart(old);
    expect(status).toBe(201);
    expect(await detail(body.workflowID)).toMatchObject({
      variables: { total: 1, name: 'Ann' },
      businessId: 'order-17',
      restartedFrom: old,
      definitionID: twoJobs,
    });
    const restarts = await host.call('viewer', 'GET', `/bpmn/instances?restartedFrom=${old}`);
    expect(restarts.body.data).toMatchObject([{ workflowID: body.workflowID, restartedFrom: old }]);
    expect(await detail(old)).toMatchObject({ status: 'COMPLETED', variables: { total: 99 } });
    await finish('one');
    await finish('two');
  });

  it('begins with the last variables when asked, and with those that replace them', async () => {
    const old = await ended({ total: 1, name: 'Ann' });
    const { body } = await restart(old, { variablesFrom: 'LAST', variables: { name: 'Ben' }, businessId: 'order-18' });
    expect(await detail(body.workflowID)).toMatchObject({
      variables: { total: 99, name: 'Ben', paid: true },
      businessId: 'order-18',
    });
    await finish('one');
    await finish('two');
  });

  it('runs the version that the instance ran last, or the one that is named', async () => {
    const first = await deploy(host, sequenceModel('versions', [serviceTask('v')]));
    const old = await start(host, first);
    await finish('v');
    await untilStatus(host, old, 'COMPLETED');
    const second = await deploy(host, sequenceModel('versions', [serviceTask('v'), userTask('ask')]));
    expect((await restart(old)).body).toMatchObject({ definitionID: first, processVersion: 1 });
    expect((await restart(old, { processDefinitionID: second })).body).toMatchObject({ processVersion: 2 });
    const wrong = await restart(old, { processDefinitionID: twoJobs });
    expect(wrong).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('is not a version of process') },
    });
  });

  it('of an instance that a message started has the variables of the message', async () => {
    const definitionID = await deploy(
      host,
      processModel(
        'shipping',
        [startEvent('go', on.message('ordered')), startEvent('byHand'), userTask('ask'), endEvent('e')],
        ['a: go -> ask', 'b: byHand -> ask', 'c: ask -> e'],
        root.message('ordered'),
      ),
    );
    await host.call('executor', 'POST', '/bpmn/messages', {
      json: { messageName: 'ordered', variables: { total: 7 } },
    });
    const list = () => host.call('viewer', 'GET', `/bpmn/instances?definitionID=${definitionID}`);
    const old = (await eventually(list, ({ body }) => body.data.length === 1)).body.data[0].workflowID;
    await host.call('editor', 'DELETE', `/bpmn/instances/${old}?reason=test`);
    await untilStatus(host, old, 'CANCELED');
    const { body } = await restart(old);
    expect((await detail(body.workflowID)).variables).toEqual({ total: 7 });
  });

  it('is refused while the instance runs, and for a called instance', async () => {
    const running = await start(host, await deploy(host, sequenceModel('asks', [userTask('ask')])));
    expect(await restart(running)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const caller = await start(host, await deploy(host, sequenceModel('calls', [callActivity('call', 'asks')])));
    const children = () => host.call('viewer', 'GET', `/bpmn/instances/${caller}/children`);
    const called = (await eventually(children, ({ body }) => body.children.length === 1)).body.children[0].workflowID;
    await host.call('editor', 'DELETE', `/bpmn/instances/${caller}?reason=test`);
    await untilStatus(host, called, 'CANCELED');
    expect(await restart(called)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', detail: expect.stringContaining(`was called by ${caller}`) },
    });
    expect((await restart('nothing')).status).toBe(404);
  });

  it('starts once however often it is sent with one key', async () => {
    const old = await ended({});
    const headers = { 'Idempotency-Key': `restart-${old}` };
    const answers = await Promise.all([1, 2, 3].map(() => restart(old, {}, 'executor', headers)));
    expect(new Set(answers.map(({ body }) => body.workflowID)).size).toBe(1);
    expect((await host.call('viewer', 'GET', `/bpmn/instances?restartedFrom=${old}`)).body.data).toHaveLength(1);
    await finish('one');
    await finish('two');
  });

  it('of a suspended definition is refused until it is resumed', async () => {
    const definitionID = await deploy(host, sequenceModel('paused', [serviceTask('p')]));
    const old = await start(host, definitionID);
    await finish('p');
    await untilStatus(host, old, 'COMPLETED');
    await host.call('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`, { json: {} });
    expect(await restart(old)).toMatchObject({ status: 409, body: { code: 'DEFINITION_SUSPENDED' } });
  });
});

describe('startAt', () => {
  it('puts a token before each node instead of at the start event', async () => {
    const json = { processDefinitionID: twoJobs, startAt: [{ nodeID: 'two', variables: { local: 1 } }] };
    const { status, body } = await host.call('admin', 'POST', '/bpmn/instances', { json });
    expect(status).toBe(201);
    const job = await takeJob(host, 'two');
    expect(job).toMatchObject({ workflowID: body.workflowID, variables: { local: 1 } });
    await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
      json: { workflowID: job.workflowID, clientID: 'worker-1' },
    });
    expect(await untilStatus(host, body.workflowID, 'COMPLETED')).toMatchObject({ variables: {} });
  });

  it('works for a restart, with the variables that are left', async () => {
    const old = await ended({ total: 1 });
    const { body } = await restart(old, { variablesFrom: 'LAST', startAt: [{ nodeID: 'two' }] }, 'admin');
    expect(await finish('two')).toBe(body.workflowID);
    expect(await untilStatus(host, body.workflowID, 'COMPLETED')).toMatchObject({
      variables: { total: 99, paid: true },
    });
  });

  it('lists every issue and starts nothing', async () => {
    const json = {
      processDefinitionID: twoJobs,
      startAt: [{ nodeID: 'none' }, { nodeID: 'two' }, { nodeID: 'twoJobs' }],
    };
    const before = (await host.call('viewer', 'GET', `/bpmn/instances?definitionID=${twoJobs}`)).body.pagination.total;
    const { status, body } = await host.call('admin', 'POST', '/bpmn/instances', { json });
    expect(status).toBe(400);
    expect(body.details.issues).toEqual([expect.stringContaining('none'), expect.stringContaining('twoJobs')]);
    const after = (await host.call('viewer', 'GET', `/bpmn/instances?definitionID=${twoJobs}`)).body.pagination.total;
    expect(after).toBe(before);
  });

  it('is not there for others than admins', async () => {
    const startAt = [{ nodeID: 'two' }];
    const old = await ended({});
    const json = { processDefinitionID: twoJobs, startAt };
    expect((await host.call('executor', 'POST', '/bpmn/instances', { json })).status).toBe(404);
    expect((await restart(old, { startAt })).status).toBe(404);
  });
});
