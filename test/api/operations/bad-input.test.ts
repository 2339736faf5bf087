/** Invalid input: the documented response, nothing lost, and never a 5xx. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type Called, type TestHost } from './support/host.js';
import { sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { deploy, jobOf, start, untilStatus, withoutRequest } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let definitionID: string;

beforeAll(async () => {
  host = await startTestHost();
  definitionID = await deploy(host, sequenceModel('doors', [serviceTask('door-work'), userTask('door-task')]));
});
afterAll(() => host.close());

/** Each operation that accepts variables: the request for an instance of `doors`. */
interface Door {
  readonly name: string;
  send(variables: string): Promise<Called>;
}

const json = { 'Content-Type': 'application/json' };

async function doors(): Promise<Door[]> {
  const workflowID = await start(host, definitionID);
  const job = await jobOf(host, workflowID);
  const at = `/bpmn/external-jobs/${job.executionKey}`;
  const post = (path: string, body: string) => host.call('editor', 'POST', path, { body, headers: json });
  return [
    {
      name: 'start',
      send: (variables) =>
        post('/bpmn/instances', `{"processDefinitionID":"${definitionID}","variables":${variables}}`),
    },
    {
      name: 'job completion',
      send: (variables) => post(`${at}/complete`, `{"workflowID":"${workflowID}","variables":${variables}}`),
    },
    {
      name: 'job error',
      send: (variables) => post(`${at}/error`, `{"errorCode":"E","retryable":false,"variables":${variables}}`),
    },
    {
      name: 'variables',
      send: (variables) =>
        host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, {
          body: `{"variables":${variables}}`,
          headers: json,
        }),
    },
    { name: 'signal', send: (variables) => post('/bpmn/signals', `{"signalName":"s","variables":${variables}}`) },
    { name: 'message', send: (variables) => post('/bpmn/messages', `{"messageName":"m","variables":${variables}}`) },
    { name: 'conditions', send: (variables) => post('/bpmn/conditionals/evaluate', `{"variables":${variables}}`) },
    {
      name: 'task completion',
      send: (variables) => post(`/bpmn/user-tasks/${workflowID}:1/complete`, `{"variables":${variables}}`),
    },
    {
      name: 'task error',
      send: (variables) => post(`/bpmn/user-tasks/${workflowID}:1/error`, `{"errorCode":"E","variables":${variables}}`),
    },
    {
      name: 'ad-hoc variables',
      send: (variables) => post(`/bpmn/instances/${workflowID}/adhoc/none/variables`, `{"variables":${variables}}`),
    },
    {
      name: 'migration',
      send: (variables) =>
        post(`/bpmn/instances/${workflowID}/migrate`, `{"targetVersion":1,"variables":${variables}}`),
    },
    {
      name: 'modification',
      send: (variables) =>
        host.call('admin', 'POST', `/bpmn/instances/${workflowID}/modify`, {
          body: `{"instructions":[{"type":"START_BEFORE_NODE","nodeID":"door-task","variables":${variables}}]}`,
          headers: json,
        }),
    },
    {
      name: 'resolve',
      send: (variables) =>
        post(`/bpmn/instances/${workflowID}/incidents/${workflowID}:1/resolve`, `{"variables":${variables}}`),
    },
  ];
}

const deep = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;

describe.each([
  ['nested deeper than 64 levels', deep, 400],
  ['holding U+0000', '{"a":"\\u0000"}', 400],
  ['holding half a surrogate pair', '{"a":"\\ud800"}', 400],
  ['with a key __proto__', '{"__proto__":{"polluted":1}}', 400],
  ['with a number that a double does not hold', '{"a":9007199254740993}', 400],
  ['with a number beyond every double', '{"a":1e400}', 400],
  ['that are a list', '[]', 400],
  ['that are not JSON', '{"a":', 400],
  ['of 3 MB', `{"a":"${'x'.repeat(3_000_000)}"}`, 413],
])('variables %s', (_what, variables, status) => {
  test(`are ${status} at every operation, and change nothing`, async () => {
    const before = (await host.call('viewer', 'GET', '/bpmn/instances')).body.pagination.total;
    for (const door of await doors()) {
      const answer = await door.send(variables);
      expect([door.name, answer.status, answer.body.code]).toEqual([
        door.name,
        status,
        status === 400 ? 'BAD_REQUEST' : 'PAYLOAD_TOO_LARGE',
      ]);
    }
    const list = await host.call('viewer', 'GET', '/bpmn/instances');
    expect(list.body.pagination.total).toBe(before + 1);
    expect(list.body.data[0]).toMatchObject({ status: 'RUNNING', hasIncident: false });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test('a job whose invalid completions were refused can still be completed', async () => {
  const workflowID = await start(host, definitionID);
  const job = await jobOf(host, workflowID);
  const at = `/bpmn/external-jobs/${job.executionKey}/complete`;
  const { body: refused } = await host.call('executor', 'POST', at, {
    body: `{"workflowID":"${workflowID}","variables":${deep}}`,
    headers: json,
  });
  expect(refused.code).toBe('BAD_REQUEST');
  expect((await host.call('executor', 'POST', at, { json: { workflowID } })).status).toBe(200);
  const tasks = await eventually(
    () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`),
    ({ body }) => body.data.length === 1,
  );
  const task = `/bpmn/user-tasks/${tasks.body.data[0].executionKey}/complete`;
  expect((await host.call('executor', 'POST', task, { body: '{"variables":{"a":1e999}}', headers: json })).status).toBe(
    400,
  );
  expect((await host.call('executor', 'POST', task)).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
});

test('variables that outgrow the instance only together are refused, and fit as replacements', async () => {
  const half = 'x'.repeat(600_000);
  const workflowID = await start(host, definitionID, { variables: { first: half } });
  const set = (variables: object) =>
    host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { json: { variables } });
  expect(await set({ second: half })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/would take \d+ bytes, but the limit is 1048576/) },
  });
  expect(await set({ first: null, second: half })).toMatchObject({ status: 200 });
  expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body.error).toBe(false);
});

test('the wrong content type is 415, malformed JSON 400, an unknown property 400 and named', async () => {
  const body = JSON.stringify({ processDefinitionID: definitionID });
  const send = (text: string, type: string) =>
    host.call('executor', 'POST', '/bpmn/instances', { body: text, headers: { 'Content-Type': type } });
  expect(await send(body, 'text/plain')).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  expect(await send(body, 'application/x-www-form-urlencoded')).toMatchObject({ status: 415 });
  expect(await send(body.slice(0, -1), 'application/json')).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST' },
  });
  const unknown = await host.call('executor', 'POST', '/bpmn/instances', {
    json: { processDefinitionID: definitionID, busnessId: 'x' },
  });
  expect(unknown.status).toBe(400);
  expect(unknown.body.message).toContain('busnessId');
  expect((await host.call('executor', 'POST', '/bpmn/instances')).status).toBe(400);
});

test.each([
  ['a business id of 3 KB', { businessId: 'b'.repeat(3000) }],
  ['a business id that is a number', { businessId: 5 }],
  ['variables that are null', { variables: null }],
  ['no definition', { processDefinitionID: undefined }],
])('a start with %s is 400', async (_what, wrong) => {
  const answer = await host.call('executor', 'POST', '/bpmn/instances', {
    json: { processDefinitionID: definitionID, ...wrong },
  });
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('SQL, HTML, CRLF and escape characters are data', async () => {
  const hostile = `'; DROP TABLE instances; -- <img src=x onerror=alert(1)>\r\n\u001b[31m`;
  const workflowID = await start(host, definitionID, { businessId: hostile, variables: { [hostile]: hostile } });
  const found = await host.call('viewer', 'GET', `/bpmn/instances?businessId=${encodeURIComponent(hostile)}`);
  expect(found.body.data).toEqual([expect.objectContaining({ workflowID, businessId: hostile })]);
  expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body.variables).toEqual({
    [hostile]: hostile,
  });
  const canceled = await host.call(
    'editor',
    'DELETE',
    `/bpmn/instances/${workflowID}?reason=${encodeURIComponent(hostile)}`,
  );
  expect(canceled.status).toBe(204);
});

test.each(['%00', '%ff', '%zz', 'a%2fb', 'x'.repeat(300), '%F0%9F%92%A9', "'%20OR%201=1--", '__proto__'])(
  'an instance called %s is 404',
  async (id) => {
    expect((await host.call('viewer', 'GET', `/bpmn/instances/${id}`)).status).toBe(404);
    expect(
      (await host.call('executor', 'POST', `/bpmn/external-jobs/${id}/complete`, { json: { workflowID: 'x' } })).status,
    ).toBe(404);
  },
);

test('a right that is missing is answered like a thing that does not exist', async () => {
  const workflowID = await start(host, definitionID);
  const missing = withoutRequest((await host.call('viewer', 'GET', '/bpmn/instances/missing')).body);
  const denied = [
    await host.call('viewer', 'DELETE', `/bpmn/instances/${workflowID}`),
    await host.call('executor', 'DELETE', `/bpmn/instances/${workflowID}`),
    await host.call('viewer', 'POST', '/bpmn/instances', { json: { processDefinitionID: definitionID } }),
    await host.call('executor', 'POST', '/bpmn/resources', { json: { name: 'x', xml: 'x' } }),
    await host.call('viewer', 'GET', '/bpmn/user-tasks'),
    await host.call('executor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { json: { variables: {} } }),
    await host.call('editor', 'DELETE', ''),
  ];
  for (const { status, body } of denied) {
    expect(status).toBe(404);
    expect(withoutRequest(body)).toEqual(missing);
  }
});

test('no line of the log holds a variable', async () => {
  const secret = 'secret-that-nobody-may-read';
  const workflowID = await start(host, definitionID, { variables: { password: secret } });
  const job = await jobOf(host, workflowID);
  await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/error`, {
    json: { errorCode: 'E', retryable: false, variables: { password: secret } },
  });
  await eventually(
    async () => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body,
    ({ error }) => error,
  );
  expect(JSON.stringify(host.api.logs())).not.toContain(secret);
});
