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
import type { TestHost } from '../api/operations/support/host.js';
import { deploy, jobOf, start, untilStatus } from '../api/operations/support/steps.js';
import { startHttpTasks, TOKEN, type HttpTasks } from './support/http-tasks.js';
import { answerWith, type Received, type Service } from './support/service.js';
import { eventually } from '../support/eventually.js';

let tasks: HttpTasks;
let host: TestHost;
let service: Service;
beforeAll(async () => {
  tasks = await startHttpTasks();
  ({ host, service } = tasks);
});
afterAll(() => tasks?.close());

describe('an HTTP task', () => {
  it('sends what its inputs say and sets what its expressions say', async () => {
    service.on('/orders', answerWith(201, { id: 7, state: 'open' }, { 'x-trace': 'abc' }));
    const variables = await tasks.completed(
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
    const [received] = tasks.requestsTo('/orders');
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
    const variables = await tasks.completed({
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
    const [{ headers }] = tasks.requestsTo('/camunda') as [Received];
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
    const workflowID = await tasks.begin({ inputs, headers: { retryBackoff: 'PT0S' } });
    await untilStatus(host, workflowID, 'COMPLETED');
    const keys = tasks.requestsTo('/flaky').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(new RegExp(`^${workflowID}:\\d+$`));
    expect(keys[1]).toBe(keys[0]);
    const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
    expect(body.data[0]).toMatchObject({ retries: 2, completedBy: 'perdure:connectors' });
  });

  it('waits as long as the service asks before it tries again', async () => {
    service.on('/later', answerWith(429, {}, { 'retry-after': '7200' }));
    const workflowID = await tasks.begin({
      inputs: { url: `${service.url}/later` },
      headers: { retryBackoff: 'PT0S' },
    });
    const job = await eventually(
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
    expect(tasks.requestsTo('/missing')).toHaveLength(1);
  });

  it.each([
    ['an answer with an error', '/refuse', answerWith(422, { code: 'NO_STOCK' })],
    ['an answer without one', '/refuse-politely', answerWith(200, { code: 'NO_STOCK' })],
  ])('lets its error expression turn %s into a BPMN error', async (_name, path, answer) => {
    service.on(path, answer);
    const errorExpression =
      '=if response.body.code = "NO_STOCK" then {code: response.body.code, message: "sold out"} else null';
    const found = await tasks.incident({ inputs: { url: service.url + path }, headers: { errorExpression } });
    expect(found).toMatchObject({ errorCode: 'NO_STOCK' });
  });

  it("knows Camunda's function for errors, also for an answer that never came", async () => {
    service.on('/broken', (_received, response) => response.destroy());
    const found = await tasks.incident({
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
    expect(await tasks.incident({ inputs: all })).toMatchObject({ errorCode });
    expect(tasks.requestsTo('/refused')).toEqual([]);
  });

  it.each([
    ['errorExpression', '=a +', 'HTTP_TASK_INVALID'],
    ['resultExpression', '=(', 'HTTP_TASK_INVALID'],
    ['retryBackoff', 'soon', 'HTTP_TASK_INVALID'],
  ])('sends nothing when its header %s is wrong', async (name, value, errorCode) => {
    const found = await tasks.incident({ inputs: { url: `${service.url}/unsent` }, headers: { [name]: value } });
    expect(found).toMatchObject({ errorCode });
    expect(tasks.requestsTo('/unsent')).toEqual([]);
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
    const found = await tasks.incident({ inputs: { url: service.url + path }, headers: { resultVariable: 'answer' } });
    expect(found).toMatchObject({ errorCode });
  });

  it('of a draft under test is not performed, but can be completed by key', async () => {
    const task = serviceTask('call', { type: 'perdure:http', inputs: { url: `${service.url}/tested` } });
    const json = { name: 'a draft', xml: sequenceModel('tested', [task]) };
    const draft = await host.call('editor', 'POST', '/bpmn/resources', { json });
    const test = await host.call('editor', 'POST', `/bpmn/resources/${draft.body.id}/test`, { json: {} });
    const list = () => host.call('executor', 'GET', '/bpmn/external-jobs?isTest=true&taskType=perdure:http');
    await eventually(list, ({ body }) => body.data.length === 1);
    // By its end, the connector has looked for jobs since.
    await tasks.completed({ inputs: { url: `${service.url}/deployed` } });
    const { body } = await host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
      json: { taskType: 'perdure:http', clientID: 'c', timeout: '0s', isTest: true },
    });
    expect(body[0]).toMatchObject({ workflowID: test.body.workflowID, retries: 3 });
    const end = { clientID: 'c', workflowID: test.body.workflowID, variables: { paid: true } };
    await host.call('executor', 'POST', `/bpmn/external-jobs/${body[0].executionKey}/complete`, { json: end });
    await untilStatus(host, test.body.workflowID, 'COMPLETED');
    expect(tasks.requestsTo('/tested')).toEqual([]);
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
    expect(tasks.requestsTo('/traced')[0]!.headers.traceparent).toContain('0af7651916cd43dd8448eb211c80319c');
  });
});
