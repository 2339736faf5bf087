/** Invalid input, sent to a host as `npm start` runs it: the documented response, and nothing is lost. */
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { processModel, sequenceModel, serviceTask, startEvent, userTask } from '@perdure/testkit/models';
import { TestHome, type Ready } from '../dev/start-command.js';
import { untilAllAgree } from '../support/agreement.js';
import {
  createDatabase,
  issuerUrl,
  temporalAddress,
  tokenFor,
  uniqueName,
  type TestDatabase,
} from '../support/infrastructure.js';
import { openDatabase } from '../support/database.js';

vi.setConfig({ testTimeout: 60_000 });

const uuid = '00000000-0000-4000-8000-000000000000';
const threeMegabytes = 'x'.repeat(3_000_000);
const home = new TestHome();
let database: TestDatabase;
let ready: Ready;
let definitionID: string;

/** Everything but the host itself is given, as in an installation of one's own. */
beforeAll(async () => {
  database = await createDatabase();
  const given = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: await temporalAddress(),
    TEMPORAL_TASK_QUEUE: uniqueName('bad-input'),
    OIDC_ISSUER: await issuerUrl(),
  };
  ready = await home.start({ ...given, LOG_LEVEL: 'warn' }).ready();
  definitionID = await deploy(sequenceModel('patient', [serviceTask('work'), userTask('decide')]));
});
afterAll(async () => {
  await home.remove();
  await database?.drop();
});

interface Answer {
  status: number;
  body: any;
  headers: Headers;
}

interface Sent {
  as?: string;
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  project?: string;
}

async function send(
  method: string,
  path: string,
  { as = 'editor', json, body, headers = {}, project = 'demo' }: Sent = {},
): Promise<Answer> {
  const token = as === 'nobody' ? undefined : await tokenFor(as);
  const content = json === undefined ? body : JSON.stringify(json);
  const response = await fetch(`${ready.api}/projects/${project}/bpmn${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

async function deploy(xml: string): Promise<string> {
  const created = await send('POST', '/resources', { json: { name: 'a model', xml } });
  expect(await send('POST', `/resources/${created.body.id}/deploy`)).toMatchObject({ status: 204 });
  return (await send('GET', `/resources/${created.body.id}`)).body.processes[0].id;
}

async function start(): Promise<string> {
  const { body } = await send('POST', '/instances', { json: { processDefinitionID: definitionID } });
  return body.workflowID;
}

/** Takes the job of one instance; others may have left theirs. */
async function takeJob(workflowID: string, clientID: string, lockDuration = '60s') {
  for (;;) {
    const { status, body } = await send('POST', '/external-jobs/poll', {
      json: { taskType: 'work', clientID, lockDuration, timeout: '20s' },
    });
    expect(status).toBe(200);
    if (body[0].workflowID === workflowID) return body[0];
  }
}

function complete(job: { executionKey: string; workflowID: string }, clientID: string, variables: object) {
  return send('POST', `/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID: job.workflowID, clientID, variables },
  });
}

const startBody = (variables: unknown) => ({ json: { processDefinitionID: definitionID, variables } });

it.each<[string, string, string, () => Sent, number, string]>([
  [
    'malformed XML',
    'POST',
    '/resources',
    () => ({ json: { name: 'broken', xml: '<bpmn:definitions' } }),
    400,
    'INVALID_MODEL',
  ],
  ['malformed JSON', 'POST', '/instances', () => ({ body: '{"processDefinitionID":' }), 400, 'BAD_REQUEST'],
  [
    'bytes that are not UTF-8',
    'POST',
    '/instances',
    () => ({ body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]) }),
    400,
    'BAD_REQUEST',
  ],
  [
    'an unknown property',
    'POST',
    '/instances',
    () => ({ json: { processDefinitionID: definitionID, variabels: {} } }),
    400,
    'BAD_REQUEST',
  ],
  ['an unknown query parameter', 'GET', '/instances?stauts=RUNNING', () => ({}), 400, 'BAD_REQUEST'],
  [
    'a wrong content type',
    'POST',
    '/instances',
    () => ({ body: '{}', headers: { 'content-type': 'text/xml' } }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['variables of 3 MB', 'POST', '/instances', () => startBody({ text: threeMegabytes }), 413, 'PAYLOAD_TOO_LARGE'],
  [
    'a body beyond every limit',
    'POST',
    '/instances',
    () => startBody({ text: threeMegabytes + threeMegabytes }),
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  ['no token', 'GET', '/instances', () => ({ as: 'nobody' }), 401, 'UNAUTHORIZED'],
  [
    'a token that is none',
    'GET',
    '/instances',
    () => ({ as: 'nobody', headers: { authorization: 'Bearer nonsense' } }),
    401,
    'UNAUTHORIZED',
  ],
  ['a role that is too low', 'POST', '/instances', () => ({ ...startBody({}), as: 'viewer' }), 404, 'NOT_FOUND'],
  ['an outsider', 'GET', '/instances', () => ({ as: 'outsider' }), 404, 'NOT_FOUND'],
  ['a project that does not exist', 'GET', '/instances', () => ({ project: 'no-such-project' }), 404, 'NOT_FOUND'],
  ['an unknown instance', 'GET', `/instances/${uuid}`, () => ({}), 404, 'NOT_FOUND'],
  ['an unknown definition', 'GET', `/definitions/${uuid}`, () => ({}), 404, 'NOT_FOUND'],
  ['an unknown resource', 'GET', `/resources/${uuid}`, () => ({}), 404, 'NOT_FOUND'],
  [
    'an unknown job',
    'POST',
    `/external-jobs/${uuid}:7/complete`,
    () => ({ json: { workflowID: uuid } }),
    404,
    'NOT_FOUND',
  ],
  ['an unknown task', 'POST', `/user-tasks/${uuid}:7/complete`, () => ({ json: {} }), 404, 'NOT_FOUND'],
  [
    'an unknown incident',
    'POST',
    `/instances/${uuid}/incidents/${uuid}:7/resolve`,
    () => ({ json: {} }),
    404,
    'NOT_FOUND',
  ],
  ['a method that is not there', 'PUT', '/instances', () => ({ json: {} }), 405, 'METHOD_NOT_ALLOWED'],
])('%s', async (_what, method, path, sent, status, code) => {
  const answer = await send(method, path, sent());
  expect([answer.status, answer.body.code, answer.headers.get('content-type')]).toEqual([
    status,
    code,
    expect.stringMatching(/^application\/problem\+json/),
  ]);
  if (status === 405) expect(answer.headers.get('allow')).toContain('GET');
});

it('a right that is missing and a project that does not exist are answered alike', async () => {
  const [denied, unknown] = await Promise.all([
    send('GET', '/instances', { as: 'outsider' }),
    send('GET', '/instances', { project: 'no-such-project' }),
  ]);
  const text = ({ body: { requestID: _id, instance: _instance, ...rest } }: Answer) => JSON.stringify(rest);
  expect(text(denied)).toBe(text(unknown));
});

it.each([
  [
    'that cannot run',
    processModel(
      'wrong',
      [startEvent('begin'), '<bpmn:serviceTask id="untyped" />', '<bpmn:subProcess id="empty" />'],
      [],
    ),
    2,
  ],
  ['that is not BPMN', '<html/>', 1],
])('a model %s is refused with everything that is wrong in it', async (_what, xml, problems) => {
  const { body } = await send('POST', '/validate', { json: { xml } });
  expect(body.errors.length).toBeGreaterThanOrEqual(problems);

  const draft = await send('POST', '/resources', { json: { name: 'wrong', xml } });
  expect(draft.status).toBe(201);
  const refused = await send('POST', `/resources/${draft.body.id}/deploy`);
  expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_MODEL', details: { errors: body.errors } } });
});

it('a job is completed once, however often and by whomever it is completed again', async () => {
  const workflowID = await start();
  const job = await takeJob(workflowID, 'first');
  const completed = await complete(job, 'first', { result: 1 });
  expect(completed).toMatchObject({ status: 200, body: { status: 'APPLIED' } });

  expect(await complete(job, 'first', { result: 1 })).toMatchObject({ status: 200, body: completed.body });
  expect(await complete(job, 'first', { result: 2 })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(await complete(job, 'second', { result: 1 })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect((await send('GET', `/instances/${workflowID}/variables`)).body).toEqual({ variables: { result: 1 } });
});

it('a lease that has run out changes nothing; the one who has the job now completes it', async () => {
  const workflowID = await start();
  const job = await takeJob(workflowID, 'slow', '1s');
  expect(await takeJob(workflowID, 'quick')).toMatchObject({ executionKey: job.executionKey });

  expect(await complete(job, 'slow', { by: 'slow' })).toMatchObject({ status: 409, body: { code: 'LEASE_LOST' } });
  expect(
    await send('POST', `/external-jobs/${job.executionKey}/heartbeat`, { json: { clientID: 'slow' } }),
  ).toMatchObject({ status: 404 });
  expect(await complete(job, 'quick', { by: 'quick' })).toMatchObject({ status: 200 });
  expect((await send('GET', `/instances/${workflowID}/variables`)).body).toEqual({ variables: { by: 'quick' } });
});

it('after all that the host is well and its rows agree with Temporal', async () => {
  expect((await fetch(`${ready.api}/ready`)).status).toBe(200);
  const store = openDatabase(database.url);
  const connection = await Connection.connect({ address: await temporalAddress() });
  try {
    await untilAllAgree(store, new Client({ connection }));
  } finally {
    await connection.close();
    await store.end();
  }
});
