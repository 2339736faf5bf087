import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import {
  callActivity,
  endEvent,
  processModel,
  scriptTask,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { deploy, jobOf, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const instance = (workflowID: string) => `/bpmn/instances/${workflowID}`;
const timeline = async (workflowID: string, query = '') =>
  (await host.call('viewer', 'GET', `${instance(workflowID)}/timeline${query}`)).body;
const started = { kind: 'START', actor: expect.any(String), outcome: 'APPLIED', time: expect.any(String) };
const changed = async (role: 'admin' | 'editor', method: string, path: string, json: Record<string, unknown> = {}) => {
  const { status, body } = await host.call(role, method, path, method === 'DELETE' ? {} : { json });
  expect({ path, status: status < 300, body: status < 300 ? undefined : body }).toEqual({
    path,
    status: true,
    body: undefined,
  });
};

test('the timeline names every operator command once, with its actor, reason, and outcome', async () => {
  const definitionID = await deploy(
    host,
    sequenceModel('steered', [scriptTask('divide', '=10 / by', 'result'), serviceTask('work')]),
  );
  const workflowID = await start(host, definitionID, { variables: { by: 0 } });
  const { incidents } = await eventually(
    async () => (await host.call('viewer', 'GET', instance(workflowID))).body,
    ({ error }) => error,
  );
  const [{ incidentID }] = incidents;
  await changed('admin', 'POST', `${instance(workflowID)}/suspend`, { reason: 'look' });
  await changed('admin', 'POST', `${instance(workflowID)}/suspend`, { reason: 'check again' });
  await changed('editor', 'POST', `${instance(workflowID)}/incidents/${incidentID}/resolve`, { variables: { by: 5 } });
  await changed('admin', 'POST', `${instance(workflowID)}/resume`);
  await changed('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`);
  await changed('editor', 'PUT', `${instance(workflowID)}/variables`, { variables: { note: 'secret' } });
  await changed('admin', 'POST', `/bpmn/definitions/${definitionID}/resume`, { reason: 'mended' });
  await jobOf(host, workflowID);
  await changed('admin', 'POST', `${instance(workflowID)}/modify`, {
    instructions: [
      { type: 'CANCEL_TOKEN', nodeID: 'work' },
      { type: 'START_BEFORE_NODE', nodeID: 'divide' },
    ],
    reason: 'again',
  });
  await changed('editor', 'DELETE', `${instance(workflowID)}?reason=enough`);
  await changed('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`);
  const { data, pagination } = await timeline(workflowID);
  expect(data).toEqual([
    started,
    {
      kind: 'SUSPEND',
      scope: 'instance',
      actor: 'admin',
      reason: 'look',
      outcome: 'APPLIED',
      time: expect.any(String),
    },
    {
      kind: 'RESOLVE_INCIDENT',
      actor: 'editor',
      outcome: 'APPLIED',
      time: expect.any(String),
      commandID: expect.any(String),
      incidentID,
      variables: ['by'],
    },
    { kind: 'RESUME', scope: 'instance', actor: 'admin', outcome: 'APPLIED', time: expect.any(String) },
    { kind: 'SUSPEND', scope: 'definition', actor: 'admin', outcome: 'APPLIED', time: expect.any(String) },
    {
      kind: 'SET_VARIABLES',
      actor: 'editor',
      outcome: 'APPLIED',
      time: expect.any(String),
      commandID: expect.any(String),
      variables: ['note'],
    },
    {
      kind: 'RESUME',
      scope: 'definition',
      actor: 'admin',
      reason: 'mended',
      outcome: 'APPLIED',
      time: expect.any(String),
    },
    {
      kind: 'MODIFY',
      actor: 'admin',
      reason: 'again',
      outcome: 'APPLIED',
      time: expect.any(String),
      commandID: expect.any(String),
      nodeIDs: ['work', 'divide'],
    },
    {
      kind: 'CANCEL_INSTANCE',
      actor: 'editor',
      reason: 'enough',
      outcome: 'APPLIED',
      time: expect.any(String),
      commandID: expect.any(String),
    },
  ]);
  expect(pagination).toEqual({ page: 1, pageSize: 20, total: 9, totalPages: 1 });
  expect((await timeline(workflowID, '?page=2&pageSize=3')).data.map(({ kind }: { kind: string }) => kind)).toEqual([
    'RESUME',
    'SUSPEND',
    'SET_VARIABLES',
  ]);
  expect((await timeline(workflowID, '?page=9')).pagination.total).toBe(9);
});

test('the timeline of a called instance shows the pauses of its ancestors once, and the actor of its cancellation', async () => {
  await deploy(host, sequenceModel('calledHere', [serviceTask('inside')]));
  const calling = await deploy(
    host,
    sequenceModel('callingHere', [callActivity('call', 'calledHere', { propagateAllChildVariables: true })]),
  );
  const workflowID = await start(host, calling);
  const [child] = await eventually(
    async () => (await host.call('viewer', 'GET', `${instance(workflowID)}/children`)).body.children,
    (all) => all.length === 1,
  );
  await jobOf(host, child.workflowID);
  await changed('admin', 'POST', `${instance(workflowID)}/suspend`, { reason: 'above' });
  await changed('admin', 'POST', `/bpmn/definitions/${calling}/suspend`);
  await changed('editor', 'DELETE', instance(workflowID));
  await untilStatus(host, child.workflowID, 'CANCELED');
  expect((await timeline(child.workflowID)).data).toMatchObject([
    { kind: 'START' },
    { kind: 'SUSPEND', scope: 'parent', actor: 'admin', reason: 'above' },
    { kind: 'SUSPEND', scope: 'parent', actor: 'admin' },
    { kind: 'CANCEL_INSTANCE', outcome: 'APPLIED' },
  ]);
});

test('the timeline shows a resume that came while the last step was on its way', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('late', [serviceTask('lately')])));
  await jobOf(host, workflowID);
  await changed('admin', 'POST', `${instance(workflowID)}/suspend`);
  await changed('admin', 'POST', `${instance(workflowID)}/resume`);
  await changed('editor', 'DELETE', instance(workflowID));
  // A step has the time at which its workflow task began; its step commit may be written much later.
  await host.store.query(
    `UPDATE instances SET completed_at = (
       SELECT recorded_at FROM audit_entries WHERE workflow_id = $1 AND operation = 'SuspendBpmnInstance'
     ) WHERE workflow_id = $1`,
    [workflowID],
  );
  expect((await timeline(workflowID)).data.map(({ kind }: { kind: string }) => kind)).toEqual([
    'START',
    'SUSPEND',
    'RESUME',
    'CANCEL_INSTANCE',
  ]);
});

test('the timeline notes an escalation that nothing caught, and keeps quiet about the rest', async () => {
  const flows =
    '<bpmn:sequenceFlow id="a" sourceRef="start" targetRef="escalate" /><bpmn:sequenceFlow id="b" sourceRef="escalate" targetRef="work" /><bpmn:sequenceFlow id="c" sourceRef="work" targetRef="end" />';
  const throwing =
    '<bpmn:intermediateThrowEvent id="escalate"><bpmn:escalationEventDefinition escalationRef="late" /></bpmn:intermediateThrowEvent>';
  const xml = processModel(
    'escalating',
    [startEvent('start'), throwing, serviceTask('work'), endEvent('end'), flows],
    [],
    '<bpmn:escalation id="late" escalationCode="LATE" />',
  );
  const workflowID = await start(host, await deploy(host, xml));
  const job = await jobOf(host, workflowID);
  await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, { json: { workflowID } });
  await untilStatus(host, workflowID, 'COMPLETED');
  expect((await timeline(workflowID)).data.slice(1, 2)).toEqual([
    { kind: 'ESCALATION', nodeIDs: ['escalate'], escalationCode: 'LATE', outcome: 'APPLIED', time: expect.any(String) },
  ]);
});

test('the timeline has only the start if nothing else was done, and nothing in another project', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('untouched', [serviceTask('work')])));
  expect(await timeline(workflowID)).toEqual({
    data: [started],
    pagination: { page: 1, pageSize: 20, total: 1, totalPages: 1 },
  });
  expect((await host.call('viewer', 'GET', `${instance('unknown')}/timeline`)).status).toBe(404);
});

test('the timeline names the actors on user tasks and jobs, and leaves the results of job workers to the history', async () => {
  const model = sequenceModel('worked', [userTask('approve'), serviceTask('byWorker'), serviceTask('byOperator')]);
  const workflowID = await start(host, await deploy(host, model));
  const { data } = await eventually(
    async () => (await host.call('executor', 'GET', `${instance(workflowID)}/user-tasks`)).body,
    (found) => found.data.length === 1,
  );
  const [{ executionKey }] = data;
  const at = `/bpmn/user-tasks/${executionKey}`;
  await host.call('executor', 'POST', `${at}/claim`);
  await host.call('executor', 'PATCH', at, { json: { priority: 3, reason: 'urgent' } });
  await host.call('executor', 'POST', `${at}/complete`, { json: { variables: { ok: true }, reason: 'checked' } });
  const worked = await takeJob(host, 'byWorker');
  await host.call('executor', 'POST', `/bpmn/external-jobs/${worked.executionKey}/complete`, {
    json: { workflowID, clientID: 'worker-1' },
  });
  const [job] = await eventually(
    async () => (await host.call('viewer', 'GET', `${instance(workflowID)}/external-jobs?status=PENDING`)).body.data,
    (found) => found.length === 1 && found[0].nodeID === 'byOperator',
  );
  const jobPath = `/bpmn/external-jobs/${job.executionKey}`;
  await host.call('editor', 'PATCH', jobPath, { json: { retries: 7, reason: 'one more day' } });
  await host.call('editor', 'PATCH', jobPath, { json: { retries: 0 } });
  await host.call('executor', 'POST', `${jobPath}/complete`, { json: { workflowID, reason: 'done by hand' } });
  await untilStatus(host, workflowID, 'COMPLETED');
  const applied = { actor: 'executor', outcome: 'APPLIED' };
  const { data: entries, pagination } = await timeline(workflowID);
  expect(pagination.total).toBe(6);
  expect(entries).toMatchObject([
    started,
    { kind: 'ASSIGN_USER_TASK', ...applied, executionKey },
    { kind: 'ASSIGN_USER_TASK', ...applied, executionKey, reason: 'urgent' },
    { kind: 'COMPLETE_USER_TASK', ...applied, executionKey, reason: 'checked', variables: ['ok'] },
    { kind: 'UPDATE_JOB', actor: 'editor', outcome: 'APPLIED', executionKey: job.executionKey, reason: 'one more day' },
    { kind: 'COMPLETE_JOB', ...applied, executionKey: job.executionKey, reason: 'done by hand' },
  ]);
  const history = (await host.call('viewer', 'GET', `${instance(workflowID)}/history`)).body.data;
  const byNode = (nodeID: string) => history.find((entry: { nodeID: string }) => entry.nodeID === nodeID);
  expect(byNode('approve')).toMatchObject({ actor: 'executor' });
  expect(byNode('byWorker')).toMatchObject({ actor: 'executor', clientID: 'worker-1' });
  expect(byNode('byOperator')).toMatchObject({ actor: 'executor' });
  expect(byNode('byOperator').clientID).toBeUndefined();
  const jobs = (await host.call('executor', 'GET', `${instance(workflowID)}/external-jobs`)).body.data;
  expect(jobs.map(({ completedBy }: { completedBy: string }) => completedBy)).toEqual(['executor', 'executor']);
});

test('the timeline names the batch that acted on the instance', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('inBatch', [serviceTask('work')])));
  const { body: accepted } = await host.call('editor', 'POST', '/bpmn/batches', {
    json: { operation: 'SET_VARIABLES', workflowIDs: [workflowID], variables: { a: 1 }, reason: 'all of them' },
  });
  const { data } = await eventually(
    () => timeline(workflowID),
    (found) => found.data.length === 2,
  );
  expect(data[1]).toMatchObject({ kind: 'SET_VARIABLES', batchID: accepted.batchID, reason: 'all of them' });
});
