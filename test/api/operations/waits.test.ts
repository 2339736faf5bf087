/** The waits of an instance in the API: every kind, with the members that its rows add. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  adHocSubProcess,
  boundaryEvent,
  callActivity,
  catchEvent,
  element,
  endEvent,
  extensions,
  on,
  parallelGateway,
  processModel,
  scriptTask,
  sequenceModel,
  serviceTask,
  startEvent,
  tag,
  userTask,
} from '@perdure/testkit/models';
import type { ProjectRole } from '../../../api/contract/roles.js';
import { read, startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

interface Wait {
  kind: string;
  nodeID?: string;
  [member: string]: unknown;
}

const pathOf = (workflowID: string) => `/bpmn/instances/${workflowID}`;
const waitsOf = async (workflowID: string, query = '?pageSize=100') =>
  (await host.call('executor', 'GET', `${pathOf(workflowID)}/waits${query}`)).body as {
    data: Wait[];
    pagination: { total: number };
  };

const BRANCHES = ['work', 'review', 'hold', 'asked', 'heard', 'ready', 'child', 'broken', 'errands', 'join'] as const;

function everyKind(name: string, type: string): string {
  return processModel(
    `all-${type}`,
    [
      startEvent('start'),
      parallelGateway('fork'),
      serviceTask('work', { type, name: 'Pack it' }),
      boundaryEvent('late', 'work', on.cycle('R3/PT1H'), { interrupting: false }),
      userTask('review'),
      catchEvent('hold', on.timer('PT1H')),
      catchEvent('asked', on.message('M')),
      catchEvent('heard', on.signal('S')),
      catchEvent('ready', on.condition('=go = true')),
      callActivity('child', `child-${type}`),
      scriptTask('broken', '=1 / 0', 'x'),
      adHocSubProcess('errands', [serviceTask('errand', { type: `${type}-errand` })]),
      parallelGateway('join'),
      endEvent('end'),
    ],
    [
      'f1: start -> fork',
      ...BRANCHES.map((branch) => `to_${branch}: fork -> ${branch}`),
      ...BRANCHES.filter((branch) => branch !== 'join').map((branch) => `from_${branch}: ${branch} -> join`),
      'out: join -> end',
    ],
    [
      `<bpmn:message id="M" name="${name}">${extensions('<zeebe:subscription correlationKey="=key" />')}</bpmn:message>`,
      `<bpmn:signal id="S" name="${name}" />`,
    ].join(''),
  );
}

test('every kind of wait is listed with what resolves it', async () => {
  const [name, type] = [randomUUID(), `t${randomUUID()}`];
  await deploy(host, sequenceModel(`child-${type}`, [serviceTask('inside', { type: `${type}-inside` })]));
  const workflowID = await start(host, await deploy(host, everyKind(name, type)), { variables: { key: '5' } });
  await host.call('executor', 'POST', '/bpmn/messages', { json: { messageName: name, correlationKeys: 5 } });
  const { executionKey } = await takeJob(host, type, 'packer');
  const { data } = await eventually(
    () => waitsOf(workflowID),
    ({ data: found }) => found.length >= 11 && found.some(({ keptUnmatched }) => keptUnmatched === 1),
  );
  const at = (nodeID: string) => data.find((wait) => wait.nodeID === nodeID);
  expect(at('work')).toMatchObject({
    kind: 'job',
    nodeName: 'Pack it',
    scopeID: '1',
    executionKey,
    taskType: type,
    retries: 3,
    lockedBy: 'packer',
    lockExpiresAt: expect.any(String),
  });
  expect(at('late')).toMatchObject({ kind: 'timer', repeats: 3, dueAt: expect.any(String) });
  expect(at('hold')).toMatchObject({ kind: 'timer', dueAt: expect.any(String) });
  expect(at('hold')).not.toHaveProperty('repeats');
  expect(at('review')).toMatchObject({ kind: 'userTask', executionKey: expect.any(String) });
  expect(at('asked')).toMatchObject({ kind: 'message', name, correlationKeys: '5', keptUnmatched: 1 });
  expect(at('heard')).toMatchObject({ kind: 'signal', name, keptUnmatched: 0 });
  expect(at('ready')).toMatchObject({ kind: 'condition', expression: '=go = true' });
  expect(at('child')).toMatchObject({ kind: 'call', workflowID: expect.any(String) });
  expect(at('broken')).toMatchObject({ kind: 'incident', errorType: 'FeelError' });
  expect(at('errands')).toMatchObject({ kind: 'adHoc' });
  expect(at('join')).toMatchObject({
    kind: 'join',
    missingFlows: BRANCHES.filter((branch) => branch !== 'join').map((branch) => `from_${branch}`),
  });
  const { body } = await host.call('viewer', 'GET', pathOf(workflowID));
  expect(body.incidents[0]).toMatchObject({
    incidentID: at('broken')!['incidentID'],
    scopeID: at('broken')!['scopeID'],
  });
  expect(Object.keys(body.activeScopes[0].activeNodes).toSorted()).toEqual(
    data.flatMap(({ nodeID }) => (nodeID === 'late' ? [] : [nodeID])).toSorted(),
  );
  const times = data.map(({ since }) => since as string);
  expect(times).toEqual(times.toSorted());
  const pages = await Promise.all([1, 2].map((page) => waitsOf(workflowID, `?page=${page}&pageSize=6`)));
  expect(pages.flatMap((page) => page.data.map(({ nodeID }) => nodeID))).toEqual(data.map(({ nodeID }) => nodeID));
});

test('an instance waits to begin until its first step is written, and for nothing after its end', async () => {
  await host.stopWorker();
  const workflowID = await start(host, await deploy(host, sequenceModel('begins', [])));
  expect((await waitsOf(workflowID)).data).toEqual([{ kind: 'begin', overTarget: false, since: expect.any(String) }]);
  await host.startWorker();
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await waitsOf(workflowID)).toMatchObject({ data: [], pagination: { total: 0 } });
  expect(await host.call('viewer', 'GET', `${pathOf(randomUUID())}/waits`)).toMatchObject({ status: 404 });
});

test('a timer keeps its due time during a pause', async () => {
  const workflowID = await start(
    host,
    await deploy(host, sequenceModel('paused', [catchEvent('hold', on.timer('PT1H'))])),
  );
  const before = await eventually(
    () => waitsOf(workflowID),
    ({ data }) => data[0]?.kind === 'timer',
  );
  await host.call('admin', 'POST', `${pathOf(workflowID)}/suspend`);
  expect(await waitsOf(workflowID)).toEqual(before);
});

test('a job whose result was accepted during a pause is waited for, and can no longer be leased', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('keeping', [serviceTask('kept')])));
  const { executionKey, leaseToken } = await takeJob(host, 'kept');
  expect((await waitsOf(workflowID)).data).toMatchObject([{ kind: 'job', availableAt: expect.any(String) }]);
  await host.call('admin', 'POST', `${pathOf(workflowID)}/suspend`);
  const json = { clientID: 'worker-1', workflowID, leaseToken };
  const accepted = await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, { json });
  expect([200, 202, 204], JSON.stringify(accepted.body)).toContain(accepted.status);
  const { data } = await waitsOf(workflowID);
  expect(data).toMatchObject([{ kind: 'job', nodeID: 'kept', executionKey }]);
  expect(data[0]).not.toHaveProperty('availableAt');
});

test('viewers learn of a user task only that it is waited for, unless it names them', async () => {
  const named = element('userTask', { id: 'review', name: 'Review' }, [
    extensions([
      tag('zeebe:userTask', {}),
      tag('zeebe:assignmentDefinition', { assignee: 'kim', candidateGroups: 'board' }),
      tag('zeebe:taskSchedule', { dueDate: '2030-01-01T00:00:00Z' }),
    ]),
  ]);
  const workflowID = await start(host, await deploy(host, sequenceModel('named', [named])));
  const waitFor = async (role: ProjectRole, claims?: Record<string, unknown>) => {
    const token = await host.token(role, claims);
    const { body } = await host.api.request('GET', `/projects/p1${pathOf(workflowID)}/waits`, { token }).then(read);
    return body.data?.find(({ kind }: Wait) => kind === 'userTask');
  };
  const all = await eventually(
    () => waitFor('executor'),
    (wait) => wait?.assignee !== undefined,
  );
  expect(all).toMatchObject({ assignee: 'kim', dueDate: '2030-01-01T00:00:00.000Z' });
  const { executionKey: _key, assignee: _assignee, dueDate: _dueDate, ...reduced } = all;
  expect(await waitFor('viewer')).toEqual(reduced);
  expect(await waitFor('viewer', { sub: 'kim' })).toEqual(all);
  expect(await waitFor('viewer', { groups: ['board'] })).toEqual(all);
  expect(await waitFor('viewer', { groups: ['other'] })).toEqual(reduced);
});
