/** The parts of the table of commands and states: instances in every state, and every command with a body that fits. */
import { randomUUID } from 'node:crypto';
import { failInstance } from '../../../store/steps/fail-instance.js';
import { project, read, type Called, type TestHost } from '../operations/support/host.js';
import { callActivity, processModel, sequenceModel } from '@perdure/testkit/models';
import { deploy, start, untilStatus } from '../operations/support/steps.js';
import { eventually } from '../../support/eventually.js';

export const states = [
  'running',
  'openIncident',
  'pausedByInstance',
  'pausedByDefinition',
  'pausedByParent',
  'completed',
  'failed',
  'canceled',
  'unknown',
  'otherProject',
] as const;
export type InstanceState = (typeof states)[number];

/** An instance and everything of it that a command can name. */
export interface Subject {
  workflowID: string;
  job: string;
  task: string;
  incident: string;
  timer: string;
  /** The project in requests. */
  project: string;
}

/** A job, a task, an ad-hoc sub-process with a task inside, a timer, and a script that fails while `by` is 0. */
function everything(processID: string): string {
  const flow = (id: string, from: string, to: string) =>
    `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" />`;
  const flows = ['work', 'approve', 'adHoc', 'divide', 'hold'].map((node, index) => [
    flow(`f${index}`, 'fork', node),
    flow(`g${index}`, node, 'join'),
  ]);
  const nodes = `<bpmn:startEvent id="start" /><bpmn:parallelGateway id="fork" /><bpmn:parallelGateway id="join" /><bpmn:endEvent id="end" />
    <bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="${processID}-work" retries="1" /></bpmn:extensionElements></bpmn:serviceTask>
    <bpmn:userTask id="approve"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>
    <bpmn:adHocSubProcess id="adHoc"><bpmn:completionCondition xsi:type="bpmn:tFormalExpression">=false</bpmn:completionCondition><bpmn:extensionElements><zeebe:adHoc activeElementsCollection="=[&quot;inside&quot;]" /></bpmn:extensionElements>
      <bpmn:userTask id="inside"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask></bpmn:adHocSubProcess>
    <bpmn:intermediateCatchEvent id="hold"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">P1D</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>
    <bpmn:scriptTask id="divide"><bpmn:extensionElements><zeebe:script expression="=10 / by" resultVariable="result" /></bpmn:extensionElements></bpmn:scriptTask>`;
  return processModel(processID, [nodes, flow('a', 'start', 'fork'), ...flows, flow('z', 'join', 'end')], []);
}

/** Reads change nothing, so one instance will do. */
const unmoved: ReadonlySet<InstanceState> = new Set<InstanceState>([
  'completed',
  'failed',
  'canceled',
  'unknown',
  'otherProject',
]);

/** Makes `count` instances in the state, of a separate process that has a version 2. */
export async function subjectsIn(state: InstanceState, host: TestHost, count: number): Promise<Subject[]> {
  if (state === 'unknown')
    return Array<Subject>(count).fill({
      workflowID: randomUUID(),
      job: `${randomUUID()}:9`,
      task: `${randomUUID()}:9`,
      incident: `${randomUUID()}:9`,
      timer: `${randomUUID()}:9`,
      project,
    });
  const processID = `p${randomUUID()}`;
  const definitionID = await deploy(host, everything(processID));
  const started =
    state === 'pausedByParent'
      ? await deploy(
          host,
          sequenceModel(`${processID}-caller`, [callActivity('call', processID, { propagateAllChildVariables: true })]),
        )
      : definitionID;
  const instances = await Promise.all(
    Array.from({ length: unmoved.has(state) ? 1 : count }, async () => {
      const top = await start(host, started, { variables: { by: state === 'running' ? 1 : 0 } });
      return { top, ...(await contentsOf(host, state === 'pausedByParent' ? await childOf(host, top) : top, state)) };
    }),
  );
  await deploy(host, everything(processID));
  await lease(host, `${processID}-work`, instances.length);
  if (state === 'pausedByDefinition')
    await succeed(host.call('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`));
  for (const { top, workflowID } of instances) await bringInto(state, host, top, workflowID);
  const subjects = instances.map(({ top: _top, ...subject }) => ({
    ...subject,
    project: state === 'otherProject' ? 'p2' : project,
  }));
  return Array.from({ length: count }, (_none, index) => subjects[index % subjects.length]!);
}

async function childOf(host: TestHost, workflowID: string): Promise<string> {
  const look = async () => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/children`)).body.children;
  return (await eventually(look, (children) => children.length === 1))[0].workflowID as string;
}

/** Once all of it is there. */
async function contentsOf(host: TestHost, workflowID: string, state: InstanceState): Promise<Omit<Subject, 'project'>> {
  const list = async (what: string) =>
    (await host.call('executor', 'GET', `/bpmn/instances/${workflowID}/${what}`)).body.data as Record<string, string>[];
  const [job] = await eventually(
    () => list('external-jobs'),
    (jobs) => jobs.length === 1,
  );
  const tasks = await eventually(
    () => list('user-tasks'),
    (found) => found.length === 2,
  );
  const [incident] =
    state === 'running'
      ? []
      : await eventually(
          () => list('incidents'),
          (found) => found.length === 1,
        );
  const waits = await eventually(
    () => list('waits?pageSize=100'),
    (found) => found.some(({ kind }) => kind === 'timer'),
  );
  const task = tasks.find(({ nodeID }) => nodeID === 'approve')!;
  return {
    workflowID,
    job: job!['executionKey']!,
    task: task['executionKey']!,
    incident: incident?.['incidentID'] ?? `${workflowID}:9999`,
    timer: waits.find(({ kind }) => kind === 'timer')!['timerID']!,
  };
}

async function lease(host: TestHost, taskType: string, count: number): Promise<void> {
  const polled = await host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
    json: { taskType, clientID: 'holder', lockDuration: '1h', maxJobs: 100 },
  });
  if (polled.body?.length !== count) throw new Error(`${polled.body?.length} jobs were leased, expected ${count}`);
}

async function bringInto(state: InstanceState, host: TestHost, top: string, workflowID: string): Promise<void> {
  switch (state) {
    case 'pausedByInstance':
    case 'pausedByParent':
      return succeed(host.call('admin', 'POST', `/bpmn/instances/${top}/suspend`));
    case 'canceled':
      return succeed(host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`));
    case 'failed':
      if (!(await failInstance(host.store, workflowID, 'ended from outside'))) throw new Error('it had ended before');
      return;
    case 'completed': {
      const canceled = ['work', 'approve', 'adHoc', 'divide', 'hold'].map((nodeID) => ({
        type: 'CANCEL_TOKEN',
        nodeID,
      }));
      await succeed(
        host.call('admin', 'POST', `/bpmn/instances/${workflowID}/modify`, {
          json: { instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'end' }, ...canceled] },
        }),
      );
      await untilStatus(host, workflowID, 'COMPLETED');
    }
  }
}

async function succeed(call: Promise<Called>): Promise<void> {
  const { status, body } = await call;
  if (status >= 300) throw new Error(`expected success, found ${status}: ${JSON.stringify(body)}`);
}

interface Command {
  /** `operationID`, with what makes it special behind a colon. */
  readonly name: string;
  send(subject: Subject): { method: string; path: string; json?: unknown };
}

const holder = { clientID: 'holder' };
const onInstance =
  (method: string, path: string, json?: unknown) =>
  ({ workflowID }: Subject) => ({ method, path: `/bpmn/instances/${workflowID}${path}`, json });
const onTimer =
  (method: string, path: string, json: unknown) =>
  ({ workflowID, timer }: Subject) => ({ method, path: `/bpmn/instances/${workflowID}/timers/${timer}${path}`, json });
const onJob =
  (path: string, json: object) =>
  ({ job, workflowID }: Subject) => ({
    method: 'POST',
    path: `/bpmn/external-jobs/${job}${path}`,
    json: path === '/complete' ? { workflowID, ...json } : json,
  });
const onTask =
  (method: string, path: string, json: unknown) =>
  ({ task }: Subject) => ({ method, path: `/bpmn/user-tasks/${task}${path}`, json });
const onBatch =
  (path: string, json: object, item: object = {}) =>
  ({ job, workflowID }: Subject) => ({
    method: 'POST',
    path: `/bpmn/external-jobs/batch/${path}`,
    json: { ...json, items: [{ executionKey: job, workflowID, ...item }] },
  });
const migration = { targetVersion: 2 };

export const commands: readonly Command[] = [
  { name: 'CancelBpmnInstance', send: onInstance('DELETE', '') },
  { name: 'UpdateBpmnInstanceVariables', send: onInstance('PUT', '/variables', { variables: { note: 1 } }) },
  {
    name: 'ResolveBpmnIncident',
    send: ({ workflowID, incident }) => ({
      method: 'POST',
      path: `/bpmn/instances/${workflowID}/incidents/${incident}/resolve`,
      json: { variables: { by: 2 } },
    }),
  },
  { name: 'SuspendBpmnInstance', send: onInstance('POST', '/suspend', {}) },
  { name: 'ResumeBpmnInstance', send: onInstance('POST', '/resume', {}) },
  {
    name: 'ModifyBpmnInstance',
    send: onInstance('POST', '/modify', { instructions: [{ type: 'CANCEL_TOKEN', nodeID: 'approve' }] }),
  },
  { name: 'MigrateBpmnInstance', send: onInstance('POST', '/migrate', migration) },
  { name: 'ValidateBpmnInstanceMigration', send: onInstance('POST', '/migrate/validate', migration) },
  { name: 'EvaluateBpmnExpression', send: onInstance('POST', '/evaluate', { expression: '1' }) },
  { name: 'UpdateBpmnInstanceTimer', send: onTimer('PATCH', '', { dueAt: '2026-01-01T00:00:00Z' }) },
  { name: 'FireBpmnInstanceTimer', send: onTimer('POST', '/fire', {}) },
  { name: 'TriggerBpmnAdHocNode', send: onInstance('POST', '/adhoc/adHoc/trigger', { nodeID: 'inside' }) },
  { name: 'SetBpmnAdHocVariables', send: onInstance('POST', '/adhoc/adHoc/variables', { variables: { note: 1 } }) },
  { name: 'CompleteBpmnExternalJob: with the lease', send: onJob('/complete', holder) },
  { name: 'CompleteBpmnExternalJob: without', send: onJob('/complete', {}) },
  { name: 'ThrowBpmnExternalJobError: with the lease', send: onJob('/error', { ...holder, errorCode: 'E' }) },
  { name: 'ThrowBpmnExternalJobError: without', send: onJob('/error', { errorCode: 'E' }) },
  {
    name: 'UpdateBpmnExternalJob',
    send: ({ job }) => ({ method: 'PATCH', path: `/bpmn/external-jobs/${job}`, json: { retries: 7 } }),
  },
  { name: 'HeartbeatBpmnExternalJob', send: onJob('/heartbeat', holder) },
  { name: 'CompleteBpmnExternalJobsBatch: with the lease', send: onBatch('complete', holder) },
  { name: 'CompleteBpmnExternalJobsBatch: without', send: onBatch('complete', {}) },
  { name: 'ThrowBpmnExternalJobErrorsBatch: with the lease', send: onBatch('error', holder, { errorCode: 'E' }) },
  { name: 'CompleteBpmnUserTask', send: onTask('POST', '/complete', {}) },
  { name: 'ThrowBpmnUserTaskError', send: onTask('POST', '/error', { errorCode: 'E' }) },
  { name: 'UpdateBpmnUserTaskAssignment', send: onTask('PATCH', '', { assignee: 'ada' }) },
  { name: 'ClaimBpmnUserTask', send: onTask('POST', '/claim', undefined) },
  { name: 'UnclaimBpmnUserTask', send: onTask('POST', '/unclaim', undefined) },
  { name: 'AddBpmnUserTaskComment', send: onTask('POST', '/comments', { text: 'asked ada' }) },
  { name: 'RestartBpmnInstance', send: onInstance('POST', '/restart', {}) },
  { name: 'RedactBpmnVariables', send: onInstance('POST', '/redact', { variables: ['note'] }) },
  // The last one: an erased instance has no state.
  { name: 'EraseBpmnInstance', send: onInstance('DELETE', '/history') },
];

/** Sends the command as an admin of both projects. Returns `409 SUSPENDED`, for example, and for a batch the outcome of its item. */
export async function answerTo(command: Command, host: TestHost, subject: Subject): Promise<string> {
  const { method, path, json } = command.send(subject);
  const token = await host.token('admin', { projects: ['p1', 'p2'].map((id) => ({ id, roles: ['admin'] })) });
  const { status, body } = await read(
    await host.api.request(method, `/projects/${subject.project}${path}`, {
      token,
      headers: { Prefer: 'wait=30' },
      ...(json !== undefined && { json }),
    }),
  );
  const [item] = body?.results ?? [];
  if (item) return `${status} ${item.status}${item.error === undefined ? '' : ` ${String(item.error).split(':')[0]}`}`;
  return status >= 400 ? `${status} ${body.code}` : String(status);
}
