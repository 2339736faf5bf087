/** One accepted request for each operation that changes something, and what it needs. */
import { randomUUID } from 'node:crypto';
import {
  adHocSubProcess,
  catchEvent,
  endEvent,
  on as when,
  processModel,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { decision, dmn, literal } from '../../../dmn/support.js';
import { project, type Called, type TestHost } from './host.js';
import { deploy, jobOf, start, untilStatus } from './steps.js';
import { eventually } from '../../../support/eventually.js';

export type Role = 'admin' | 'editor' | 'executor' | 'viewer';
export interface Change {
  role: Role;
  /** Sends the request. What it needs was made before. */
  request(): Promise<Called>;
}

const eventSubscription = {
  name: 'warehouse',
  url: 'https://events.example.com/',
  secret: 'EVENTS',
  types: ['perdure.instance.completed'],
};
const HOOK = { name: 'h', auth: { type: 'STRIPE', secret: 'S' }, messageName: '"m"' };

/** A process that a condition starts. */
const startedWhen = (condition: string) =>
  processModel(
    'conditional',
    [startEvent('start', when.condition(condition)), endEvent('end'), sequenceFlow('f', 'start', 'end')],
    [],
  );

export async function changesOn(host: TestHost) {
  /** Definitions by the kind of wait of their only activity. */
  const jobs = await deploy(host, sequenceModel('jobs', [serviceTask('work')]));
  const tasks = await deploy(host, sequenceModel('tasks', [userTask('approve')]));
  const adHoc = await deploy(
    host,
    sequenceModel('adHoc', [adHocSubProcess('free', [serviceTask('one')], [], { until: '=enough' })]),
  );

  const send = (role: Role, method: string, path: string, json?: unknown) =>
    host.call(role, method, path, json === undefined ? {} : { json });

  async function openTask(): Promise<{ workflowID: string; key: string }> {
    const workflowID = await start(host, tasks);
    const look = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
    const { body } = await eventually(look, ({ body: page }) => page.data.length === 1);
    return { workflowID, key: body.data[0].executionKey };
  }

  async function openJob(): Promise<{ workflowID: string; key: string }> {
    const workflowID = await start(host, jobs);
    return { workflowID, key: (await jobOf(host, workflowID)).executionKey };
  }

  async function incident(): Promise<{ workflowID: string; id: string }> {
    const { workflowID, key } = await openJob();
    await send('executor', 'POST', `/bpmn/external-jobs/${key}/error`, { errorCode: 'E', retryable: false });
    const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`);
    const { body } = await eventually(look, ({ body: page }) => page.data.length === 1);
    return { workflowID, id: body.data[0].incidentID };
  }

  async function draft(): Promise<string> {
    const xml = sequenceModel(`draft${Math.trunc(performance.now() * 1000)}`, [userTask('t')]);
    return (await send('editor', 'POST', '/bpmn/resources', { name: 'd', xml })).body.id;
  }

  async function keptMessage(): Promise<string> {
    return (await send('executor', 'POST', '/bpmn/messages', { messageName: 'no instance waits' })).body.publicationID;
  }

  /** Runs for minutes, on instances that do not exist. */
  async function batch(): Promise<string> {
    const workflowIDs = Array.from({ length: 500 }, (_, index) => `none-${index}`);
    const json = { operation: 'CANCEL', workflowIDs, itemsPerSecond: 1 };
    return (await send('editor', 'POST', '/bpmn/batches', json)).body.batchID;
  }

  /** Runs, and no runner takes it. */
  async function backtest(): Promise<string> {
    const { rows } = await host.store.query<{ id: string }>(
      `INSERT INTO backtests (project_id, process_id, graph_sha256, created_by, total, due_at)
       VALUES ($1, 'tasks', 'none', 'eda', 1, 'infinity') RETURNING id`,
      [project],
    );
    return rows[0]!.id;
  }

  async function decisions(): Promise<string> {
    const xml = dmn(decision('d', literal('1')));
    return (await send('editor', 'POST', '/dmn/definitions', { name: 'd', xml })).body.id;
  }

  async function subscription(): Promise<string> {
    await send('admin', 'PATCH', '/settings', { eventRetention: 'P1D' });
    return (await send('admin', 'POST', '/events/subscriptions', eventSubscription)).body.subscriptionID;
  }

  async function ended(): Promise<string> {
    const { workflowID, key } = await openJob();
    await send('executor', 'POST', `/bpmn/external-jobs/${key}/complete`, { workflowID });
    await untilStatus(host, workflowID, 'COMPLETED');
    return workflowID;
  }

  async function openTimer(): Promise<string> {
    const definitionID = await deploy(host, sequenceModel('timed', [catchEvent('hold', when.timer('P1D'))]));
    const workflowID = await start(host, definitionID);
    const read = async () => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/waits`)).body.data;
    const waits = await eventually(read, (found) => found.some(({ kind }: { kind: string }) => kind === 'timer'));
    return `/bpmn/instances/${workflowID}/timers/${waits[0].timerID}`;
  }

  /** Of a process that has one version. */
  async function startTimer(processID: string): Promise<string> {
    const events = [startEvent('hourly', when.cycle('R/PT1H')), endEvent('end')];
    const definitionID = await deploy(host, processModel(processID, events, ['f: hourly -> end']));
    return `/bpmn/definitions/${definitionID}/start-timers/hourly`;
  }

  /** One request per changing operation. `prepare` may change something too, so it comes first. */
  const changes: { readonly [operationID: string]: () => Promise<Change> } = {
    StartBpmnInstance: async () => ({
      role: 'executor',
      request: () => send('executor', 'POST', '/bpmn/instances', { processDefinitionID: tasks }),
    }),
    EvaluateBpmnConditionals: async () => {
      const definitionID = await deploy(host, startedWhen('stock < 10'));
      const json = { variables: { stock: 5 }, definitionID };
      return { role: 'executor', request: () => send('executor', 'POST', '/bpmn/conditionals/evaluate', json) };
    },
    RestartBpmnInstance: async () => {
      const workflowID = await ended();
      const path = `/bpmn/instances/${workflowID}/restart`;
      return { role: 'executor', request: () => send('executor', 'POST', path, { reason: 'again' }) };
    },
    ImportBpmnInstance: async () => {
      const source = { system: 'old', id: randomUUID() };
      const json = { source, definitionID: tasks, variables: {}, tokens: [{ nodeID: 'approve' }], reason: 'moved' };
      return { role: 'admin', request: () => send('admin', 'POST', '/bpmn/instances/import', json) };
    },
    CancelBpmnInstance: async () => {
      const workflowID = await start(host, tasks);
      return { role: 'editor', request: () => send('editor', 'DELETE', `/bpmn/instances/${workflowID}?reason=wrong`) };
    },
    UpdateBpmnInstanceVariables: async () => {
      const { workflowID } = await openTask();
      const path = `/bpmn/instances/${workflowID}/variables`;
      return { role: 'editor', request: () => send('editor', 'PUT', path, { variables: { a: 1 }, reason: 'why' }) };
    },
    EraseBpmnInstance: async () => {
      const workflowID = await ended();
      return { role: 'admin', request: () => send('admin', 'DELETE', `/bpmn/instances/${workflowID}/history`) };
    },
    RedactBpmnVariables: async () => {
      const path = `/bpmn/instances/${await ended()}/redact`;
      return {
        role: 'admin',
        request: () => send('admin', 'POST', path, { variables: ['name'], reason: 'on request' }),
      };
    },
    SuspendBpmnInstance: async () => {
      const { workflowID } = await openTask();
      return { role: 'admin', request: () => send('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`) };
    },
    ResumeBpmnInstance: async () => {
      const { workflowID } = await openTask();
      await send('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`);
      return { role: 'admin', request: () => send('admin', 'POST', `/bpmn/instances/${workflowID}/resume`) };
    },
    SuspendBpmnDefinition: async () => {
      const definitionID = await deploy(host, sequenceModel('suspended', [userTask('t')]));
      return { role: 'admin', request: () => send('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`) };
    },
    ResumeBpmnDefinition: async () => {
      const definitionID = await deploy(host, sequenceModel('resumed', [userTask('t')]));
      await send('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`);
      return { role: 'admin', request: () => send('admin', 'POST', `/bpmn/definitions/${definitionID}/resume`) };
    },
    ModifyBpmnInstance: async () => {
      const { workflowID } = await openTask();
      const instructions = [{ type: 'START_BEFORE_NODE', nodeID: 'approve' }];
      const path = `/bpmn/instances/${workflowID}/modify`;
      return { role: 'admin', request: () => send('admin', 'POST', path, { instructions }) };
    },
    MigrateBpmnInstance: async () => {
      const workflowID = await start(host, await deploy(host, sequenceModel('moved', [userTask('t')])));
      await deploy(host, sequenceModel('moved', [userTask('t'), userTask('u')]));
      const path = `/bpmn/instances/${workflowID}/migrate`;
      return { role: 'editor', request: () => send('editor', 'POST', path, { targetVersion: 2 }) };
    },
    MigrateBpmnInstances: async () => {
      const definitionID = await deploy(host, sequenceModel('movedAll', [userTask('t')]));
      await start(host, definitionID);
      await deploy(host, sequenceModel('movedAll', [userTask('t'), userTask('u')]));
      const path = `/bpmn/definitions/${definitionID}/migrate`;
      return { role: 'editor', request: () => send('editor', 'POST', path, { targetVersion: 2 }) };
    },
    CompleteBpmnUserTask: async () => {
      const { key } = await openTask();
      const path = `/bpmn/user-tasks/${key}/complete`;
      return { role: 'executor', request: () => send('executor', 'POST', path, { variables: { ok: true } }) };
    },
    ThrowBpmnUserTaskError: async () => {
      const { key } = await openTask();
      const path = `/bpmn/user-tasks/${key}/error`;
      return { role: 'executor', request: () => send('executor', 'POST', path, { errorCode: 'E' }) };
    },
    ClaimBpmnUserTask: async () => {
      const { key } = await openTask();
      return { role: 'executor', request: () => send('executor', 'POST', `/bpmn/user-tasks/${key}/claim`) };
    },
    UnclaimBpmnUserTask: async () => {
      const { key } = await openTask();
      await send('executor', 'POST', `/bpmn/user-tasks/${key}/claim`);
      return { role: 'executor', request: () => send('executor', 'POST', `/bpmn/user-tasks/${key}/unclaim`) };
    },
    UpdateBpmnUserTaskAssignment: async () => {
      const { key } = await openTask();
      return {
        role: 'executor',
        request: () => send('executor', 'PATCH', `/bpmn/user-tasks/${key}`, { priority: 70 }),
      };
    },
    AddBpmnUserTaskComment: async () => {
      const { key } = await openTask();
      const path = `/bpmn/user-tasks/${key}/comments`;
      return { role: 'executor', request: () => send('executor', 'POST', path, { text: 'secret words' }) };
    },
    CompleteBpmnExternalJob: async () => {
      const { workflowID, key } = await openJob();
      const path = `/bpmn/external-jobs/${key}/complete`;
      return { role: 'executor', request: () => send('executor', 'POST', path, { workflowID }) };
    },
    ThrowBpmnExternalJobError: async () => {
      const { key } = await openJob();
      const path = `/bpmn/external-jobs/${key}/error`;
      return { role: 'executor', request: () => send('executor', 'POST', path, { errorCode: 'E', retryable: true }) };
    },
    CompleteBpmnExternalJobsBatch: async () => {
      const { workflowID, key } = await openJob();
      const items = [{ executionKey: key, workflowID }];
      return {
        role: 'executor',
        request: () => send('executor', 'POST', '/bpmn/external-jobs/batch/complete', { items }),
      };
    },
    ThrowBpmnExternalJobErrorsBatch: async () => {
      const { workflowID, key } = await openJob();
      const items = [{ executionKey: key, workflowID, errorCode: 'E' }];
      return {
        role: 'executor',
        request: () => send('executor', 'POST', '/bpmn/external-jobs/batch/error', { items }),
      };
    },
    UpdateBpmnExternalJob: async () => {
      const { key } = await openJob();
      return { role: 'editor', request: () => send('editor', 'PATCH', `/bpmn/external-jobs/${key}`, { retries: 7 }) };
    },
    ResolveBpmnIncident: async () => {
      const { workflowID, id } = await incident();
      const path = `/bpmn/instances/${workflowID}/incidents/${id}/resolve`;
      return { role: 'editor', request: () => send('editor', 'POST', path, { reason: 'fixed' }) };
    },
    TriggerBpmnAdHocNode: async () => {
      const workflowID = await start(host, adHoc, { variables: { enough: false } });
      const path = `/bpmn/instances/${workflowID}/adhoc/free/trigger`;
      return { role: 'executor', request: () => send('executor', 'POST', path, { nodeID: 'one' }) };
    },
    SetBpmnAdHocVariables: async () => {
      const workflowID = await start(host, adHoc, { variables: { enough: false } });
      const path = `/bpmn/instances/${workflowID}/adhoc/free/variables`;
      return { role: 'executor', request: () => send('executor', 'POST', path, { variables: { x: 1 } }) };
    },
    UpdateBpmnInstanceTimer: async () => {
      const path = await openTimer();
      const json = { dueAt: '2026-01-01T00:00:00Z', reason: 'sooner' };
      return { role: 'editor', request: () => send('editor', 'PATCH', path, json) };
    },
    FireBpmnInstanceTimer: async () => {
      const path = await openTimer();
      return { role: 'editor', request: () => send('editor', 'POST', `${path}/fire`, { reason: 'now' }) };
    },
    SkipBpmnStartTimer: async () => {
      const path = await startTimer('hourly-skip');
      return { role: 'editor', request: () => send('editor', 'POST', `${path}/skip`, { reason: 'a holiday' }) };
    },
    RunBpmnStartTimer: async () => {
      const path = await startTimer('hourly-run');
      return { role: 'editor', request: () => send('editor', 'POST', `${path}/run`, { reason: 'now' }) };
    },
    PublishBpmnMessage: async () => ({
      role: 'executor',
      request: () => send('executor', 'POST', '/bpmn/messages', { messageName: 'm', variables: { v: 1 } }),
    }),
    PublishBpmnSignal: async () => ({
      role: 'executor',
      request: () => send('executor', 'POST', '/bpmn/signals', { signalName: 's' }),
    }),
    DeleteBpmnPublication: async () => {
      const id = await keptMessage();
      return { role: 'editor', request: () => send('editor', 'DELETE', `/bpmn/publications/${id}?reason=twice`) };
    },
    CreateBpmnBacktest: async () => ({
      role: 'editor',
      request: () => send('editor', 'POST', `/bpmn/definitions/${tasks}/backtests`, { newest: 10, reason: 'release' }),
    }),
    CreateBpmnDraftBacktest: async () => {
      const id = await draft();
      return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/resources/${id}/backtests`, {}) };
    },
    CancelBpmnBacktest: async () => {
      const id = await backtest();
      return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/backtests/${id}/cancel`) };
    },
    CreateBpmnBatch: async () => {
      const workflowIDs = [await start(host, tasks)];
      const json = { operation: 'CANCEL', workflowIDs, reason: 'all wrong' };
      return { role: 'editor', request: () => send('editor', 'POST', '/bpmn/batches', json) };
    },
    PauseBpmnBatch: async () => {
      const id = await batch();
      return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/batches/${id}/pause`) };
    },
    ResumeBpmnBatch: async () => {
      const id = await batch();
      await send('editor', 'POST', `/bpmn/batches/${id}/pause`);
      return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/batches/${id}/resume`) };
    },
    CancelBpmnBatch: async () => {
      const id = await batch();
      return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/batches/${id}/cancel`) };
    },
    CreateBpmnResource: async () => {
      const json = { name: 'r', xml: sequenceModel('r', [userTask('t')]) };
      return { role: 'editor', request: () => send('editor', 'POST', '/bpmn/resources', json) };
    },
    UpdateBpmnResource: async () => {
      const id = await draft();
      const json = { name: 'r', xml: sequenceModel('u', [userTask('t')]) };
      return { role: 'editor', request: () => send('editor', 'PUT', `/bpmn/resources/${id}`, json) };
    },
    DeployBpmnResource: async () => {
      const id = await draft();
      return {
        role: 'editor',
        request: () => send('editor', 'POST', `/bpmn/resources/${id}/deploy`, { reason: 'r7' }),
      };
    },
    DeleteBpmnResource: async () => {
      const id = await draft();
      return { role: 'editor', request: () => send('editor', 'DELETE', `/bpmn/resources/${id}?reason=old`) };
    },
    StartBpmnTestInstance: async () => {
      const id = await draft();
      await send('editor', 'POST', `/bpmn/resources/${id}/deploy`);
      return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/resources/${id}/test`) };
    },
    DeployBpmnBundle: async () => {
      const files = [{ name: 'b.bpmn', content: sequenceModel('bundled', [userTask('t')]) }];
      return { role: 'editor', request: () => send('editor', 'POST', '/bpmn/deployments', { files, reason: 'r8' }) };
    },
    DeployFromModeler: async () => {
      const form = new FormData();
      form.append('resources', new File([sequenceModel('fromModeler', [userTask('t')])], 'm.bpmn'));
      return { role: 'editor', request: () => host.call('editor', 'POST', '/v2/deployments', { body: form }) };
    },
    CreateDefinition: async () => {
      const json = { name: 'new', xml: dmn(decision('new', literal('1'))).replace('id="model"', 'id="new"') };
      return { role: 'editor', request: () => send('editor', 'POST', '/dmn/definitions', json) };
    },
    UpdateDefinition: async () => {
      const id = await decisions();
      const json = { name: 'd', xml: dmn(decision('d', literal('2'))) };
      return { role: 'editor', request: () => send('editor', 'PUT', `/dmn/definitions/${id}`, json) };
    },
    DeleteDefinition: async () => {
      const id = await decisions();
      return { role: 'editor', request: () => send('editor', 'DELETE', `/dmn/definitions/${id}`) };
    },
    PutBpmnProcessSettings: async () => ({
      role: 'admin',
      request: () => send('admin', 'PUT', '/bpmn/processes/jobs/settings', { maxQueued: 5 }),
    }),
    PutBpmnTargets: async () => ({
      role: 'editor',
      request: () => send('editor', 'PUT', '/bpmn/processes/jobs/targets', { targets: [{ duration: 'P1D' }] }),
    }),
    PutLimit: async () => ({
      role: 'admin',
      request: () => send('admin', 'PUT', '/limits/pack', { concurrent: 2, rate: { count: 10, per: 'PT1M' } }),
    }),
    DeleteLimit: async () => {
      await send('admin', 'PUT', '/limits/pack', { concurrent: 2 });
      return { role: 'admin', request: () => send('admin', 'DELETE', '/limits/pack') };
    },
    CreateEventSubscription: async () => {
      await send('admin', 'PATCH', '/settings', { eventRetention: 'P1D' });
      return { role: 'admin', request: () => send('admin', 'POST', '/events/subscriptions', eventSubscription) };
    },
    UpdateEventSubscription: async () => {
      const path = `/events/subscriptions/${await subscription()}`;
      return { role: 'admin', request: () => send('admin', 'PATCH', path, { enabled: false }) };
    },
    RedeliverDeadLetters: async () => {
      const subscriptionID = await subscription();
      await host.store.query(
        'INSERT INTO event_deliveries (subscription_id, position, order_key, dead_at) SELECT $1::uuid, 1, $1::uuid::text, now()',
        [subscriptionID],
      );
      const path = `/events/subscriptions/${subscriptionID}/redeliver`;
      return { role: 'admin', request: () => send('admin', 'POST', path) };
    },
    DeleteEventSubscription: async () => {
      const path = `/events/subscriptions/${await subscription()}?reason=unused`;
      return { role: 'admin', request: () => send('admin', 'DELETE', path) };
    },
    CreateHook: async () => ({ role: 'editor', request: () => send('editor', 'POST', '/hooks', HOOK) }),
    UpdateHook: async () => {
      const { body } = await send('editor', 'POST', '/hooks', HOOK);
      return { role: 'editor', request: () => send('editor', 'PUT', `/hooks/${body.hookID}`, HOOK) };
    },
    DeleteHook: async () => {
      const { body } = await send('editor', 'POST', '/hooks', HOOK);
      return { role: 'editor', request: () => send('editor', 'DELETE', `/hooks/${body.hookID}`) };
    },
    RedeliverHookDelivery: async () => {
      const { body } = await send('editor', 'POST', '/hooks', HOOK);
      const request = { contentType: 'application/json', query: '', headers: {} };
      const { rows } = await host.store.query<{ id: string }>(
        `INSERT INTO hook_deliveries (project_id, hook_id, outcome, problem, body, request)
         VALUES ('p1', $1, 'FAILED', 'failed', '{}', $2::json) RETURNING id`,
        [body.hookID, JSON.stringify(request)],
      );
      const path = `/hooks/${body.hookID}/deliveries/${rows[0]!.id}/redeliver`;
      return { role: 'editor', request: () => send('editor', 'POST', path) };
    },
    ChangeProjectSettings: async () => ({
      role: 'admin',
      request: () => send('admin', 'PATCH', '/settings', { description: 'changed' }),
    }),
    PutProjectMember: async () => ({
      role: 'admin',
      request: () => send('admin', 'PUT', '/members/somebody', { role: 'viewer' }),
    }),
    DeleteProjectMember: async () => ({ role: 'admin', request: () => send('admin', 'DELETE', '/members/somebody') }),
  };

  return { jobs, tasks, adHoc, send, openTask, openJob, changes };
}
