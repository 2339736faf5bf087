import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  boundaryEvent,
  endEvent,
  on,
  processModel,
  root,
  sequenceModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import type { ConnectorsRole } from '../../connectors/role.js';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { deploy, jobOf, start, until, untilStatus } from '../api/operations/support/steps.js';
import { startConnectors } from './support/connectors.js';
import { answerWith, startService, type Service } from './support/service.js';

const TOKEN = 'tok/en+with "marks" 4711';
const ELSEWHERE = 'for-another-host-only';

let host: TestHost;
let service: Service;
let connectors: ConnectorsRole;
beforeAll(async () => {
  [host, service] = await Promise.all([startTestHost(), startService()]);
  const hosts = [service.url];
  const secrets = {
    p1: {
      TOKEN: { values: [TOKEN] as [string], hosts },
      ELSEWHERE: { values: [ELSEWHERE] as [string], hosts: ['api.example.com'] },
    },
  };
  connectors = startConnectors(host, { allow: service.url, secrets });
});
afterAll(async () => {
  await connectors?.stop();
  await host?.close();
  await service?.close();
});

interface Task {
  inputs: Record<string, string>;
  headers?: Record<string, string>;
  type?: string;
  retries?: number;
}

let models = 0;
async function begin({ inputs, headers, type = 'perdure:http', retries = 3 }: Task, variables = {}): Promise<string> {
  const task = serviceTask('call', { type, retries, inputs, ...(headers && { headers }) });
  return start(host, await deploy(host, sequenceModel(`p${(models += 1)}`, [task])), { variables });
}

async function completed(task: Task, variables = {}): Promise<Record<string, unknown>> {
  const workflowID = await begin(task, variables);
  await untilStatus(host, workflowID, 'COMPLETED');
  return (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body.variables;
}

async function incident(task: Task, variables = {}) {
  const workflowID = await begin(task, variables);
  const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`);
  return (await until(look, ({ body }) => body.data?.length > 0)).body.data[0];
}

const requestsTo = (path: string) => service.received.filter(({ url }) => url.split('?')[0] === path);

describe('an HTTP task', () => {
  it('sends what its inputs say and sets what its expressions say', async () => {
    service.on('/orders', answerWith(201, { id: 7, state: 'open' }, { 'x-trace': 'abc' }));
    const variables = await completed(
      {
        inputs: {
          url: `="${service.url}/orders"`,
          method: 'POST',
          headers: '={"X-Shop": shop, "X-Count": 3, "X-None": null}',
          queryParameters: '={dry: true, q: "a b&c"}',
          body: '={amount: amount, note: "für dich"}',
        },
        headers: {
          resultVariable: 'answer',
          resultExpression: '={orderID: response.body.id, trace: get value(response.headers, "x-trace")}',
        },
      },
      { shop: 'berlin', amount: 12.5 },
    );
    const [received] = requestsTo('/orders');
    expect(received).toMatchObject({
      method: 'POST',
      url: '/orders?dry=true&q=a+b%26c',
      headers: { 'x-shop': 'berlin', 'x-count': '3', 'content-type': 'application/json' },
    });
    expect(received!.headers).not.toHaveProperty('x-none');
    expect(JSON.parse(received!.body)).toEqual({ amount: 12.5, note: 'für dich' });
    expect(variables).toMatchObject({
      orderID: 7,
      trace: 'abc',
      answer: { status: 201, body: { id: 7, state: 'open' } },
    });
  });

  it("works with the type and the authentication of Camunda's HTTP JSON template", async () => {
    const variables = await completed({
      type: 'io.camunda:http-json:1',
      inputs: {
        'authentication.type': 'basic',
        'authentication.username': 'shop',
        'authentication.password': '{{secrets.TOKEN}}',
        url: `${service.url}/camunda`,
        method: 'GET',
        connectionTimeoutInSeconds: '20',
        readTimeoutInSeconds: '20',
      },
      headers: { resultExpression: '={status: response.status}', retryBackoff: 'PT0S' },
    });
    const [{ headers }] = requestsTo('/camunda') as [(typeof service.received)[0]];
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`shop:${TOKEN}`).toString('base64')}`);
    expect(headers).not.toHaveProperty('idempotency-key');
    expect(variables).toMatchObject({ status: 200 });
  });

  it('is tried again after 503 with the same key and the backoff that the service asks for', async () => {
    let calls = 0;
    service.on('/flaky', (received, response) =>
      (calls += 1) === 1
        ? answerWith(503, {}, { 'retry-after': '1' })(received, response)
        : answerWith(200, {})(received, response),
    );
    const inputs = { url: `${service.url}/flaky`, method: 'POST', body: '={}' };
    const workflowID = await begin({ inputs, headers: { retryBackoff: 'PT0S' } });
    await untilStatus(host, workflowID, 'COMPLETED');
    const keys = requestsTo('/flaky').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(new RegExp(`^${workflowID}:\\d+$`));
    expect(keys[1]).toBe(keys[0]);
    const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
    expect(body.data[0]).toMatchObject({ retries: 2, completedBy: 'perdure:connectors' });
  });

  it('waits as long as the service asks before it tries again', async () => {
    service.on('/later', answerWith(429, {}, { 'retry-after': '7200' }));
    const workflowID = await begin({ inputs: { url: `${service.url}/later` }, headers: { retryBackoff: 'PT0S' } });
    const job = await until(
      () => jobOf(host, workflowID),
      ({ errorCode }) => errorCode === 'HTTP_429',
    );
    expect(job).toMatchObject({ status: 'PENDING', retries: 2 });
    expect(Date.parse(job.availableAt)).toBeGreaterThan(Date.now() + 3_600_000);
  });

  it('ends at the boundary event that catches its status', async () => {
    service.on('/missing', answerWith(404, { reason: 'gone' }));
    const model = processModel(
      'caught',
      [
        startEvent('s'),
        serviceTask('call', { type: 'perdure:http', inputs: { url: `${service.url}/missing` } }),
        boundaryEvent('none', 'call', on.error('HTTP_404')),
        endEvent('missing'),
        endEvent('found'),
      ],
      ['f1: s -> call', 'f2: call -> found', 'f3: none -> missing'],
      root.error('HTTP_404'),
    );
    const workflowID = await start(host, await deploy(host, model));
    await untilStatus(host, workflowID, 'COMPLETED');
    const history = JSON.stringify((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/history`)).body);
    expect(history).toContain('"missing"');
    expect(history).not.toContain('"found"');
    expect(requestsTo('/missing')).toHaveLength(1);
  });

  it.each([
    ['an answer with an error', '/refuse', answerWith(422, { code: 'NO_STOCK' })],
    ['an answer without one', '/refuse-politely', answerWith(200, { code: 'NO_STOCK' })],
  ])('lets its error expression turn %s into a BPMN error', async (_name, path, answer) => {
    service.on(path, answer);
    const errorExpression =
      '=if response.body.code = "NO_STOCK" then {code: response.body.code, message: "sold out"} else null';
    const found = await incident({ inputs: { url: service.url + path }, headers: { errorExpression } });
    expect(found).toMatchObject({ errorCode: 'NO_STOCK' });
  });

  it("knows Camunda's function for errors, also for an answer that never came", async () => {
    service.on('/broken', (_received, response) => response.destroy());
    const found = await incident({
      inputs: { url: `${service.url}/broken` },
      headers: {
        errorExpression: '=if error.code = "HTTP_CONNECTION" then bpmnError("BANK_DOWN", "no bank") else null',
      },
    });
    expect(found).toMatchObject({ errorCode: 'BANK_DOWN' });
  });

  it.each([
    ['a URL that is not allowed', { url: 'https://example.com/' }, 'EGRESS_REFUSED'],
    ['another port', { url: 'http://127.0.0.1:1/' }, 'EGRESS_REFUSED'],
    ['a metadata address', { url: 'http://169.254.169.254/latest/meta-data' }, 'EGRESS_REFUSED'],
    ['no URL', {}, 'HTTP_REQUEST_INVALID'],
    ['an unknown method', { method: 'TRACE' }, 'HTTP_REQUEST_INVALID'],
    ['a header with a line break', { headers: '={A: "x\\r\\nB: y"}' }, 'HTTP_REQUEST_INVALID'],
    ['a time limit that is too long', { readTimeoutInSeconds: '=301' }, 'HTTP_REQUEST_INVALID'],
    ['OAuth', { 'authentication.type': 'oauth-client-credentials-flow' }, 'HTTP_REQUEST_INVALID'],
    ['an unknown secret', { 'headers.A': '{{secrets.UNKNOWN}}' }, 'SECRET_REFUSED'],
    ['a secret for another host', { 'headers.A': '{{secrets.ELSEWHERE}}' }, 'SECRET_REFUSED'],
    ['a secret as host', { url: 'https://{{secrets.TOKEN}}/' }, 'EGRESS_REFUSED'],
  ])('is refused at once with %s', async (name, inputs: Record<string, string>, errorCode) => {
    const all = { ...(name !== 'no URL' && { url: `${service.url}/refused` }), ...inputs };
    expect(await incident({ inputs: all })).toMatchObject({ errorCode });
    expect(requestsTo('/refused')).toEqual([]);
  });

  it.each([
    ['errorExpression', '=a +', 'HTTP_TASK_INVALID'],
    ['resultExpression', '=(', 'HTTP_TASK_INVALID'],
    ['retryBackoff', 'soon', 'HTTP_TASK_INVALID'],
  ])('sends nothing when its header %s is wrong', async (name, value, errorCode) => {
    const found = await incident({ inputs: { url: `${service.url}/unsent` }, headers: { [name]: value } });
    expect(found).toMatchObject({ errorCode });
    expect(requestsTo('/unsent')).toEqual([]);
  });

  it.each([
    ['larger than 1 MiB', (size: number) => ['/large', 'x'.repeat(size)], 'HTTP_ANSWER_TOO_LARGE'],
    ['nested too deeply', () => ['/deep', '['.repeat(100_000)], 'HTTP_ANSWER_INVALID'],
    ['a number that cannot be kept', () => ['/number', '9007199254740993'], 'HTTP_ANSWER_INVALID'],
  ])('fails with an answer that is %s', async (_name, answer, errorCode) => {
    const [path, body] = answer(1024 * 1024 + 1) as [string, string];
    service.on(
      path,
      (_received, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    const found = await incident({ inputs: { url: service.url + path }, headers: { resultVariable: 'answer' } });
    expect(found).toMatchObject({ errorCode });
  });

  it('of a draft under test is not performed, but can be completed by key', async () => {
    const task = serviceTask('call', { type: 'perdure:http', inputs: { url: `${service.url}/tested` } });
    const json = { name: 'a draft', xml: sequenceModel('tested', [task]) };
    const draft = await host.call('editor', 'POST', '/bpmn/resources', { json });
    const test = await host.call('editor', 'POST', `/bpmn/resources/${draft.body.id}/test`, { json: {} });
    const list = () => host.call('executor', 'GET', '/bpmn/external-jobs?isTest=true&taskType=perdure:http');
    await until(list, ({ body }) => body.data.length === 1);
    // By its end, the connector has looked for jobs since.
    await completed({ inputs: { url: `${service.url}/deployed` } });
    const { body } = await host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
      json: { taskType: 'perdure:http', clientID: 'c', timeout: '0s', isTest: true },
    });
    expect(body[0]).toMatchObject({ workflowID: test.body.workflowID, retries: 3 });
    const end = { clientID: 'c', workflowID: test.body.workflowID, variables: { paid: true } };
    await host.call('executor', 'POST', `/bpmn/external-jobs/${body[0].executionKey}/complete`, { json: end });
    await untilStatus(host, test.body.workflowID, 'COMPLETED');
    expect(requestsTo('/tested')).toEqual([]);
  });

  it('passes on the trace of the request that caused it', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const model = sequenceModel('traced', [
      serviceTask('call', { type: 'perdure:http', inputs: { url: `${service.url}/traced` } }),
    ]);
    const processDefinitionID = await deploy(host, model);
    const started = await host.call('executor', 'POST', '/bpmn/instances', {
      json: { processDefinitionID },
      headers: { traceparent },
    });
    await untilStatus(host, started.body.workflowID, 'COMPLETED');
    expect(requestsTo('/traced')[0]!.headers.traceparent).toContain('0af7651916cd43dd8448eb211c80319c');
  });
});

describe('a secret', () => {
  it('goes into the parts of a request whose mappings name it', async () => {
    await completed({
      inputs: {
        url: `="${service.url}/hooks/" + "{{secrets.TOKEN}}"`,
        method: 'POST',
        headers: '={Authorization: "Bearer {{secrets.TOKEN}}", at: string(now())}',
        'body.nested.key': '{{ secrets.TOKEN }}',
        'body.amount': '=12',
      },
    });
    const received = service.received.find(({ url }) => url.startsWith('/hooks/'))!;
    expect(decodeURIComponent(received.url)).toBe(`/hooks/${TOKEN}`);
    expect(received.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(JSON.parse(received.body)).toEqual({ nested: { key: TOKEN }, amount: 12 });
  });

  it('never comes from the text of a variable, even where the mapping names the same secret', async () => {
    await completed(
      {
        inputs: {
          url: `${service.url}/injected`,
          method: 'POST',
          headers: '={A: "{{secrets.TOKEN}}", B: given, C: "{{secrets.TOKEN}} " + given}',
          body: '={text: given, joined: "{{sec" + "rets.TOKEN}}"}',
        },
      },
      { given: '{{secrets.TOKEN}}' },
    );
    const [{ headers, body }] = requestsTo('/injected') as [(typeof service.received)[0]];
    expect(headers).toMatchObject({ a: TOKEN, b: '{{secrets.TOKEN}}', c: `${TOKEN} {{secrets.TOKEN}}` });
    expect(JSON.parse(body)).toEqual({ text: '{{secrets.TOKEN}}', joined: '{{secrets.TOKEN}}' });
  });

  it('is not sent when its text mixes with a value that has changed since', async () => {
    const found = await incident({
      inputs: { url: `${service.url}/mixed`, headers: '={A: "{{secrets.TOKEN}} " + string(now())}' },
    });
    expect(found).toMatchObject({ errorCode: 'SECRET_REFUSED' });
    expect(requestsTo('/mixed')).toEqual([]);
  });

  it('that the service repeats is masked, and is in no table, no history, and no log', async () => {
    service.on('/echo', ({ headers, body, url }, response) =>
      answerWith(
        200,
        {
          headers,
          body,
          url,
          path: encodeURI(TOKEN),
          again: TOKEN,
          base64: Buffer.from(`u:${TOKEN}`).toString('base64'),
          [TOKEN]: 1,
        },
        { 'x-echo': TOKEN },
      )({} as never, response),
    );
    const workflowID = await begin({
      inputs: {
        url: `${service.url}/echo?key={{secrets.TOKEN}}`,
        method: 'POST',
        headers: '={Authorization: "Bearer {{secrets.TOKEN}}"}',
        body: '={key: "{{secrets.TOKEN}}"}',
      },
      headers: { resultVariable: 'echo' },
    });
    await untilStatus(host, workflowID, 'COMPLETED');
    const { variables } = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body;
    expect(variables.echo.body).toMatchObject({ again: '***', '***': 1 });
    expect(variables.echo.headers['x-echo']).toBe('***');

    // Nothing that also occurs by chance, such as four digits in an id.
    const forms = ['marks', encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64').slice(0, 24)];
    const { rows: tables } = await host.store.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of tables) {
      const { rows } = await host.store.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      const text = rows.map((row) => row.text).join('\n');
      for (const form of forms) expect(text.includes(form), `${form} in ${name}`).toBe(false);
    }
    const logs = JSON.stringify(host.api.logs());
    const history = JSON.stringify((await host.historyOf(workflowID)).events);
    for (const form of forms) {
      expect(logs).not.toContain(form);
      expect(history).not.toContain(form);
    }
  });
});
