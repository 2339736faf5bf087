/**
 * Every operation that names a thing below a project, with real things that belong to another project or another
 * instance: the response is that for a thing that does not exist, byte for byte, and nothing changes. A new operation is
 * included automatically; a new kind of id has to be added to `Things`.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../api/commands/operation.js';
import { operations } from '../../api/operations/index.js';
import { read, startTestHost, type Called, type TestHost } from '../api/operations/support/host.js';
import {
  adHocSubProcess,
  catchEvent,
  endEvent,
  on,
  parallelGateway,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { withoutRequest } from '../api/operations/support/steps.js';
import { decision, dmn, literal } from '../dmn/support.js';
import { minimalBody } from './support/minimal-body.js';
import { eventually } from '../support/eventually.js';

/** By the names of path parameters; a parameter that stands for several kinds of things has one path for each. */
interface Things {
  project: string;
  resourceID: string;
  bpmnDefinitionID: string;
  dmnDefinitionID: string;
  bpmnDefinitionsID: string;
  dmnDefinitionsID: string;
  processID: string;
  workflowID: string;
  commandID: string;
  incidentID: string;
  timerID: string;
  jobKey: string;
  taskKey: string;
  adHocNodeID: string;
  /** Of a timer start event. */
  nodeID: string;
  executionID: string;
  migrationID: string;
  backtestID: string;
  batchID: string;
  subject: string;
  deploymentID: string;
  publicationID: string;
  formID: string;
  subscriptionID: string;
  hookID: string;
  deliveryID: string;
}

const HOOK = { name: 'h', auth: { type: 'STRIPE', secret: 'S' }, messageName: '"m"' };

let host: TestHost;
let mine: Things;
let other: Things;
let foreign: Things;

beforeAll(async () => {
  host = await startTestHost();
  [mine, other, foreign] = await Promise.all([createThings('p1'), createThings('p1'), createThings('p2')]);
  await eventually(timersToSend, (count) => count === 0);
});
afterAll(() => host?.close());

async function call(project: string, method: string, path: string, json?: unknown): Promise<Called> {
  const token = await host.api.issuer.sign({
    sub: `admin-of-${project}`,
    projects: [{ id: project, roles: ['admin'] }],
  });
  return read(
    await host.api.request(method, `/projects/${project}${path}`, { token, ...(json === undefined ? {} : { json }) }),
  );
}

/** One of everything, with names that nothing else has. */
async function createThings(project: string): Promise<Things> {
  const name = `n${randomUUID().replaceAll('-', '')}`;
  const { body: resource } = await call(project, 'POST', '/bpmn/resources', { name, xml: modelOf(name) });
  const deployed = await call(project, 'POST', `/bpmn/resources/${resource.id}/deploy`);
  if (deployed.status !== 204)
    throw new Error(`deploying answered ${deployed.status}: ${JSON.stringify(deployed.body)}`);
  const bpmnDefinitionID = (await call(project, 'GET', `/bpmn/resources/${resource.id}`)).body.processes[0]
    .id as string;
  const { workflowID } = (await call(project, 'POST', '/bpmn/instances', { processDefinitionID: bpmnDefinitionID }))
    .body;
  const instance = `/bpmn/instances/${workflowID}`;
  const first = async (path: string) =>
    (
      await eventually(
        async () => (await call(project, 'GET', `${instance}${path}`)).body.data as Record<string, string>[],
        ({ length }) => length > 0,
      )
    )[0] as Record<string, string>;
  const { body: next } = await call(project, 'POST', '/bpmn/resources', { name, xml: modelOf(name) });
  await call(project, 'POST', `/bpmn/resources/${next.id}/deploy`);
  // Of an instance that is not there, so that nothing continues after the tests.
  const plan = { targetVersion: 2, workflowIDs: [randomUUID()] };
  const { migrationID } = (await call(project, 'POST', `/bpmn/definitions/${bpmnDefinitionID}/migrate`, plan)).body;
  await eventually(
    async () => (await call(project, 'GET', `/bpmn/migrations/${migrationID}`)).body.status as string,
    (status) => status !== 'RUNNING',
  );
  const { body: file } = await call(project, 'POST', '/dmn/definitions', {
    name,
    xml: dmn(decision('net', literal('1')), { target: `urn:${name}` }).replace('id="model"', `id="${name}"`),
  });
  await call(project, 'POST', `/dmn/definitions/${file.id}/evaluate`, { context: {} });
  const { body: deployment } = await call(project, 'POST', '/bpmn/deployments', {
    files: [{ name: 'a.form', content: JSON.stringify({ id: name, components: [] }) }],
  });
  return {
    project,
    resourceID: resource.id,
    bpmnDefinitionID,
    dmnDefinitionID: file.id,
    bpmnDefinitionsID: resource.definitionsID,
    dmnDefinitionsID: name,
    processID: name,
    workflowID,
    commandID: (await call(project, 'PUT', `${instance}/variables`, { variables: { a: 1 } })).body.commandID,
    incidentID: (await first('/incidents'))['incidentID'] as string,
    timerID: await timerOf(project, instance),
    jobKey: (await first('/external-jobs'))['executionKey'] as string,
    taskKey: (await first('/user-tasks'))['executionKey'] as string,
    adHocNodeID: `adhoc-${name}`,
    nodeID: `hourly-${name}`,
    executionID: (await call(project, 'GET', `/dmn/definitions/${file.id}/executions`)).body.data[0].id,
    migrationID,
    backtestID: await backtestOf(project),
    batchID: migrationID,
    subject: `somebody-${name}`,
    deploymentID: deployment.deploymentID,
    publicationID: (await call(project, 'POST', '/bpmn/messages', { messageName: name })).body.publicationID,
    formID: name,
    subscriptionID: await subscribe(project),
    ...(await failedDelivery(project)),
  };
}

/** It runs, and no runner takes it. */
async function backtestOf(project: string): Promise<string> {
  const { rows } = await host.store.query<{ id: string }>(
    `INSERT INTO backtests (project_id, process_id, graph_sha256, created_by, total, due_at)
     VALUES ($1, 'p', 'none', 'eda', 1, 'infinity') RETURNING id`,
    [project],
  );
  return rows[0]!.id;
}

/** Start timers that Temporal does not know yet. Their rows change when it does. */
async function timersToSend(): Promise<number> {
  const { rows } = await host.store.query('SELECT FROM start_timers WHERE send_at IS NOT NULL');
  return rows.length;
}

async function timerOf(project: string, instance: string): Promise<string> {
  const read = async () => (await call(project, 'GET', `${instance}/waits`)).body.data as Record<string, string>[];
  const timers = await eventually(
    async () => (await read()).filter(({ kind }) => kind === 'timer'),
    ({ length }) => length > 0,
  );
  return timers[0]!['timerID']!;
}

/** To events of a project with a feed. */
async function subscribe(project: string): Promise<string> {
  await call(project, 'PATCH', '/settings', { eventRetention: 'P1D' });
  const subscription = {
    name: 'all',
    url: 'https://events.example.com/',
    secret: 'EVENTS',
    types: ['perdure.batch.completed'],
  };
  return (await call(project, 'POST', '/events/subscriptions', subscription)).body.subscriptionID;
}

/** Which could be delivered again. */
async function failedDelivery(project: string): Promise<Pick<Things, 'hookID' | 'deliveryID'>> {
  const { hookID } = (await call(project, 'POST', '/hooks', HOOK)).body;
  const { rows } = await host.store.query<{ id: string }>(
    `INSERT INTO hook_deliveries (project_id, hook_id, outcome, problem, body, request)
     VALUES ($1, $2, 'FAILED', 'failed', '{}', '{"contentType": "application/json", "query": "", "headers": {}}') RETURNING id`,
    [project, hookID],
  );
  return { hookID, deliveryID: rows[0]!.id };
}

/** Waits at a job, a user task, a timer, an incident and an ad-hoc sub-process at once. */
function modelOf(name: string): string {
  const branches = [
    serviceTask('work', { type: name }),
    userTask('decide'),
    catchEvent('hold', on.timer('P1D')),
    scriptTask('fail', '=1 / 0', 'x'),
    adHocSubProcess(`adhoc-${name}`, serviceTask('inner', { type: `${name}-inner` })),
  ];
  return processModel(
    name,
    [
      startEvent('start'),
      startEvent(`hourly-${name}`, on.cycle('R/PT1H')),
      parallelGateway('fork'),
      ...branches,
      endEvent('end'),
    ],
    [
      'start -> fork',
      `hourly-${name} -> end`,
      'fork -> work -> end',
      'fork -> decide -> end',
      'fork -> hold -> end',
      'fork -> fail -> end',
      `fork -> adhoc-${name} -> end`,
    ],
  );
}

/** As an id of the same form that nothing has. */
const nobodys: Things = {
  project: 'p1',
  resourceID: randomUUID(),
  bpmnDefinitionID: randomUUID(),
  dmnDefinitionID: randomUUID(),
  bpmnDefinitionsID: 'nothing',
  dmnDefinitionsID: 'nothing',
  processID: 'nothing',
  workflowID: randomUUID(),
  commandID: randomUUID(),
  incidentID: randomUUID(),
  timerID: `${randomUUID()}:1`,
  jobKey: `${randomUUID()}-1`,
  taskKey: `${randomUUID()}-1`,
  adHocNodeID: 'nothing',
  nodeID: 'nothing',
  executionID: randomUUID(),
  migrationID: randomUUID(),
  backtestID: randomUUID(),
  batchID: randomUUID(),
  subject: 'nobody',
  deploymentID: randomUUID(),
  publicationID: randomUUID(),
  formID: 'nothing',
  subscriptionID: randomUUID(),
  hookID: randomUUID(),
  deliveryID: randomUUID(),
};

function idOf(operation: Operation, parameter: string, things: Things): string {
  const inDmn = operation.path.includes('/dmn/');
  switch (parameter) {
    case 'definitionID':
      return inDmn ? things.dmnDefinitionID : things.bpmnDefinitionID;
    case 'definitionsID':
      return inDmn ? things.dmnDefinitionsID : things.bpmnDefinitionsID;
    case 'executionKey':
      return operation.path.includes('/user-tasks/') ? things.taskKey : things.jobKey;
    default: {
      const id = (things as unknown as Record<string, string | undefined>)[parameter];
      if (id === undefined)
        throw new Error(
          `${operation.operationID} has a path parameter ${parameter}: add such a thing to Things in this test.`,
        );
      return id;
    }
  }
}

/** @param last whose id the last parameter is; the ones before it are those of `things` */
function pathOf(operation: Operation, things: Things, last = things): string {
  const [, ...below] = operation.parameterNames;
  return operation.path
    .replace('/projects/{projectID}', '')
    .replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
      encodeURIComponent(idOf(operation, name, name === below.at(-1) ? last : things)),
    );
}

const inProjects = operations.filter(({ parameterNames }) => parameterNames[0] === 'projectID');
/**
 * Members are kept by the identity provider, which no other project has a part in. A limit is of a task type, which is any
 * text of any project; `test/store/job-limits.test.ts` has limits of several projects.
 */
const onThings = inProjects.filter(
  ({ parameterNames, path }) => parameterNames.length > 1 && !path.includes('/members/') && !path.includes('/limits/'),
);
const belowInstances = onThings.filter(
  ({ parameterNames }) => parameterNames.includes('workflowID') && parameterNames.length > 2,
);

/** Bodies that the schema alone does not describe. */
const BODIES: Readonly<Record<string, unknown>> = { UpdateHook: HOOK };

const bodyOf = (operation: Operation) =>
  BODIES[operation.operationID] ??
  (operation.request.body === undefined ? undefined : minimalBody(operation.request.body));

/** The rows of every table, except those that requests themselves leave. */
async function fingerprint(): Promise<unknown> {
  const { rows } = await host.store.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('job_workers', 'idempotency_keys') ORDER BY 1",
  );
  const all: Record<string, unknown> = {};
  for (const { name } of rows)
    all[name] = (
      await host.store.query(`SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS hash FROM ${name} t`)
    ).rows[0]!.hash;
  return all;
}

/** A 400 says nothing about the thing, as long as it is the same 400; most operations must come as far as 404. */
function expectTheSame(found: Called, unknown: Called, operation: Operation): void {
  expect({ status: found.status, body: withoutRequest(found.body) }).toEqual({
    status: unknown.status,
    body: withoutRequest(unknown.body),
  });
  const cannotBeMade =
    operation.request.body !== undefined &&
    !operation.request.body.safeParse(undefined).success &&
    bodyOf(operation) === undefined;
  const isAboutBody = cannotBeMade || found.body.code === 'INVALID_MODEL';
  expect(isAboutBody ? [400, 404] : [404]).toContain(found.status);
}

/** Lists by a name are empty rather than missing where nothing has the name: compared all the same. */
function isListByName(operation: Operation, { status }: Called): boolean {
  return operation.method === 'GET' && status === 200;
}

describe('a thing of another project', () => {
  test.each(onThings.map((operation) => [operation.operationID, operation] as const))(
    'is to %s what does not exist',
    async (_, operation) => {
      const json = bodyOf(operation);
      const before = await fingerprint();
      const found = await call('p1', operation.method, pathOf(operation, foreign), json);
      const unknown = await call('p1', operation.method, pathOf(operation, nobodys), json);
      if (isListByName(operation, unknown)) {
        expect(found.body).toEqual(unknown.body);
        expect(JSON.stringify(found.body)).not.toContain(foreign.processID);
      } else expectTheSame(found, unknown, operation);
      expect(await fingerprint()).toEqual(before);
    },
  );
});

describe('a thing of another instance', () => {
  test.each(belowInstances.map((operation) => [operation.operationID, operation] as const))(
    'is to %s what does not exist',
    async (_, operation) => {
      const json = bodyOf(operation);
      const before = await fingerprint();
      for (const whose of [other, foreign]) {
        const found = await call('p1', operation.method, pathOf(operation, mine, whose), json);
        expectTheSame(found, await call('p1', operation.method, pathOf(operation, mine, nobodys), json), operation);
      }
      expect(await fingerprint()).toEqual(before);
    },
  );
});

describe('an id in a body that belongs to another project', () => {
  const bodies: Record<string, (things: Things) => { method?: string; path: string; json: unknown }> = {
    'of a start': (things) => ({ path: '/bpmn/instances', json: { processDefinitionID: things.bpmnDefinitionID } }),
    'of a search': (things) => ({
      path: '/bpmn/instances/search',
      json: { definitionID: things.bpmnDefinitionID, predicate: 'true' },
    }),
    'of conditions': (things) => ({
      path: '/bpmn/conditionals/evaluate',
      json: { definitionID: things.bpmnDefinitionID, variables: {} },
    }),
    "of a completion, next to a job of one's own": (things) => ({
      path: `/bpmn/external-jobs/${mine.jobKey}/complete`,
      json: { workflowID: things.workflowID },
    }),
    "of an error, next to a job of one's own": (things) => ({
      path: `/bpmn/external-jobs/${mine.jobKey}/error`,
      json: { workflowID: things.workflowID, errorCode: 'x' },
    }),
  };
  test.each(Object.entries(bodies))('%s does not exist', async (_, bodyFor) => {
    const before = await fingerprint();
    const [found, unknown] = [bodyFor(foreign), bodyFor(nobodys)].map(({ path, json }) =>
      call('p1', 'POST', path, json),
    );
    const answers = (await Promise.all([found!, unknown!])).map(({ status, body }) => ({
      status,
      body: withoutRequest(body),
    }));
    expect(answers[0]).toEqual(answers[1]);
    expect([400, 404, 409]).toContain(answers[0]?.status);
    expect(await fingerprint()).toEqual(before);
  });

  test('completes and fails nothing in a batch', async () => {
    const before = await fingerprint();
    const jobs = (things: Things) => ({ jobs: [{ executionKey: things.jobKey, workflowID: things.workflowID }] });
    const found = await call('p1', 'POST', '/bpmn/external-jobs/batch/complete', jobs(foreign));
    expect(found.status).toBeLessThan(500);
    if (found.status === 200) expect(found.body.results).toMatchObject([{ status: 'error' }]);
    expect(await fingerprint()).toEqual(before);
  });

  test('finds nothing in a list that is asked for it', async () => {
    for (const query of [`definitionID=${foreign.bpmnDefinitionID}`, `processId=${foreign.processID}`]) {
      expect((await call('p1', 'GET', `/bpmn/instances?${query}`)).body.data).toEqual([]);
    }
    const { rows } = await host.store.query("SELECT count(*)::integer AS count FROM instances WHERE project_id = 'p2'");
    expect(rows[0]!.count).toBeGreaterThan(0);
  });
});
