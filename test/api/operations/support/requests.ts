/** One accepted request for each operation of the API: those that change something, those that compute, and reads. */
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { operations } from '../../../../api/operations/index.js';
import { decision, dmn, literal } from '../../../dmn/support.js';
import { changesOn } from './changes.js';
import { project, read, type Called, type TestHost } from './host.js';
import { deploy, start, takeJob } from './steps.js';

/** Makes what a request needs, and returns the request. */
export type Prepare = () => Promise<() => Promise<Called>>;

const modelOf = (id: string) => sequenceModel(id, [userTask('t')]);
const decisionModel = dmn(decision('d', literal('1')));

export async function requestsOn(host: TestHost): Promise<Record<string, Prepare>> {
  const on = await changesOn(host);
  const known = await knownIDs(on);
  const changes = Object.entries(on.changes).map(([operation, prepare]): [string, Prepare] => [
    operation,
    async () => (await prepare()).request,
  ]);
  const reads = operations
    .filter(({ method }) => method === 'GET')
    .map(({ operationID, path }): [string, Prepare] => [operationID, async () => () => get(host, path, known)]);
  return { ...Object.fromEntries([...reads, ...changes]), ...ofProjects(host), ...computations(host, on, known) };
}

type Changes = Awaited<ReturnType<typeof changesOn>>;

/** A whole project is created or deleted by an administrator of the installation. */
function ofProjects(host: TestHost): Record<string, Prepare> {
  const asSystem = async (method: string, path: string, json?: unknown) => {
    const token = await host.api.issuer.sign({ sub: 'founder', roles: ['system-admin'] });
    return read(await host.api.request(method, path, { token, ...(json !== undefined && { json }) }));
  };
  return {
    ListOrganizationAuditEntries: async () => () => asSystem('GET', '/audit'),
    CreateProject: async () => () => asSystem('POST', '/projects', { name: 'created' }),
    DeleteProject: async () => {
      const { body } = await asSystem('POST', '/projects', { name: 'deleted' });
      return () => asSystem('DELETE', `/projects/${body.id}`);
    },
  };
}

/** Ids for the paths of reads. */
async function knownIDs(on: Changes) {
  const { workflowID, key } = await on.openTask();
  const command = await on.send('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { variables: { a: 1 } });
  const files = [{ name: 'known.bpmn', content: modelOf('known') }];
  const deployment = await on.send('editor', 'POST', '/bpmn/deployments', { files });
  const { resourceID } = deployment.body.files[0];
  const resource = await on.send('viewer', 'GET', `/bpmn/resources/${resourceID}`);
  const message = await on.send('executor', 'POST', '/bpmn/messages', { messageName: 'known' });
  const decisions = await on.send('editor', 'POST', '/dmn/definitions', { name: 'd', xml: decisionModel });
  await on.send('executor', 'POST', `/dmn/definitions/${decisions.body.id}/evaluate`, { context: {} });
  const executions = await on.send('viewer', 'GET', `/dmn/definitions/${decisions.body.id}/executions`);
  const backtest = await on.send('editor', 'POST', `/bpmn/definitions/${on.tasks}/backtests`);
  const batch = await on.send('editor', 'POST', '/bpmn/batches', { operation: 'CANCEL', workflowIDs: ['none'] });
  await on.send('admin', 'PATCH', '/settings', { eventRetention: 'P1D' });
  const subscription = await on.send('admin', 'POST', '/events/subscriptions', {
    name: 'known',
    url: 'https://events.example.com/',
    secret: 'EVENTS',
    types: ['perdure.instance.completed'],
  });
  const hook = await on.send('editor', 'POST', '/hooks', {
    name: 'known',
    auth: { type: 'STRIPE', secret: 'S' },
    messageName: '"m"',
  });
  return {
    projectID: project,
    workflowID,
    executionKey: key,
    commandID: command.body.commandID,
    definitionID: on.tasks,
    processID: 'tasks',
    resourceID,
    deploymentID: deployment.body.deploymentID,
    definitionsID: resource.body.definitionsID,
    publicationID: message.body.publicationID,
    dmnDefinitionID: decisions.body.id,
    dmnDefinitionsID: decisions.body.definitionsID,
    executionID: executions.body.data[0].id,
    backtestID: backtest.body.backtestID,
    batchID: batch.body.batchID,
    migrationID: batch.body.batchID,
    subscriptionID: subscription.body.subscriptionID,
    hookID: hook.body.hookID,
    formID: 'none',
    adHocNodeID: 'none',
  };
}

type Known = Awaited<ReturnType<typeof knownIDs>>;

/** Reads with a path that is known, as an admin, who can read everything. */
async function get(host: TestHost, path: string, known: Known): Promise<Called> {
  const isDmn = path.includes('/dmn/');
  const idOf = (name: string) => {
    const key = isDmn && name.startsWith('definition') ? `dmnD${name.slice(1)}` : name;
    const id = known[key as keyof Known];
    if (id === undefined) throw new Error(`${path}: support/requests.ts knows no ${name}`);
    return encodeURIComponent(id);
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name));
  const token = await host.token('admin', { projects: [{ id: project, roles: ['admin'] }] });
  return read(await host.api.request('GET', filled, { token }));
}

/** The listed operations that leave no entry. */
function computations(host: TestHost, on: Changes, known: Known): Record<string, Prepare> {
  const post = (role: 'executor' | 'editor' | 'viewer', path: string, json: unknown) => () =>
    on.send(role, 'POST', path, json);
  const outside = (path: string, json: unknown) => async () =>
    read(await host.api.request('POST', path, { token: await host.token('viewer'), json }));
  const design = { xml: decisionModel };
  const plan = { targetVersion: 2 };
  const twoVersions = async () => {
    const definitionID = await deploy(host, modelOf('planned'));
    const workflowID = await start(host, definitionID);
    await deploy(host, sequenceModel('planned', [userTask('t'), userTask('u')]));
    return { definitionID, workflowID };
  };
  return {
    PollBpmnExternalJobs: async () => {
      await on.openJob();
      return post('executor', '/bpmn/external-jobs/poll', { taskType: 'work', clientID: 'w', timeout: '0s' });
    },
    HeartbeatBpmnExternalJob: async () => {
      await on.openJob();
      const { executionKey } = await takeJob(host, 'work');
      return post('executor', `/bpmn/external-jobs/${executionKey}/heartbeat`, { clientID: 'worker-1' });
    },
    SearchBpmnInstances: async () => {
      const json = { definitionID: on.tasks, predicate: 'true' };
      // The first search of a database makes the key of its cursors.
      await on.send('viewer', 'POST', '/bpmn/instances/search', json);
      return post('viewer', '/bpmn/instances/search', json);
    },
    EvaluateBpmnExpression: async () =>
      post('viewer', `/bpmn/instances/${(await twoVersions()).workflowID}/evaluate`, { expression: '1 + 1' }),
    ValidateBpmnXml: async () => post('editor', '/bpmn/validate', { xml: modelOf('valid') }),
    ConvertBpmnModel: async () => post('editor', '/bpmn/convert', { xml: modelOf('converted') }),
    ValidateBpmnInstanceMigration: async () =>
      post('editor', `/bpmn/instances/${(await twoVersions()).workflowID}/migrate/validate`, plan),
    ValidateBpmnInstancesMigration: async () =>
      post('editor', `/bpmn/definitions/${(await twoVersions()).definitionID}/migrate/validate`, plan),
    EvaluateDesign: async () => outside('/dmn/evaluate/design', { ...design, context: {} }),
    EvaluateDesignBatch: async () => outside('/dmn/evaluate/design/batch', { ...design, inputs: [{}] }),
    EvaluateStored: async () => post('executor', `/dmn/definitions/${known.dmnDefinitionID}/evaluate`, { context: {} }),
    EvaluateByDefinitionsID: async () =>
      post('executor', `/dmn/definitions/by-definitions-id/${known.dmnDefinitionsID}/evaluate`, { context: {} }),
    CallMcp: async () => post('viewer', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  };
}
