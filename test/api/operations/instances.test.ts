import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import {
  callActivity,
  endEvent,
  parallelGateway,
  processModel,
  scriptTask,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  startEvent,
  subProcess,
} from '@perdure/testkit/models';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const get = async (workflowID: string) => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;
const ids = ({ body }: { body: { data: { workflowID: string }[] } }) => body.data.map(({ workflowID }) => workflowID);

test('a process that only its events begin is started by no caller and no call activity', async () => {
  const timer = '<bpmn:timerEventDefinition><bpmn:timeCycle>R/P1Y</bpmn:timeCycle></bpmn:timerEventDefinition>';
  const yearly = processModel(
    'yearly',
    [`<bpmn:startEvent id="start">${timer}</bpmn:startEvent>`, endEvent('end'), sequenceFlow('f', 'start', 'end')],
    [],
  );
  const processDefinitionID = await deploy(host, yearly);
  expect(await host.call('executor', 'POST', '/bpmn/instances', { json: { processDefinitionID } })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
  const caller = await start(
    host,
    await deploy(
      host,
      sequenceModel('callsYearly', [callActivity('call', 'yearly', { propagateAllChildVariables: true })]),
    ),
  );
  const incidents = () => host.call('viewer', 'GET', `/bpmn/instances/${caller}/incidents`);
  expect((await eventually(incidents, ({ body }) => body.data.length > 0)).body.data).toMatchObject([
    { nodeID: 'call', errorType: 'NoHandler' },
  ]);
});

test('a started instance is there at once, with what it was started with', async () => {
  const definitionID = await deploy(host, sequenceModel('at-once', [serviceTask('at-once-work')]));
  const workflowID = await start(host, definitionID, {
    variables: { amount: 12.5, tags: ['a'] },
    businessId: 'order-1',
  });
  expect(await get(workflowID)).toMatchObject({
    workflowID,
    definitionID,
    processId: 'at-once',
    processVersion: 1,
    status: 'RUNNING',
    businessId: 'order-1',
    startedBy: 'executor',
    variables: { amount: 12.5, tags: ['a'] },
    incidents: [],
    error: false,
  });
});

test('the detail shows where the tokens are, scope by scope', async () => {
  const definitionID = await deploy(
    host,
    processModel(
      'scopes',
      [
        startEvent('start'),
        sequenceFlow('f0', 'start', 'sub'),
        subProcess(
          'sub',
          [
            startEvent('inner-start'),
            parallelGateway('fork'),
            serviceTask('left'),
            parallelGateway('join'),
            endEvent('inner-end'),
          ],
          ['inner-start -> fork', 'fork -> left -> join', 'fork -> join', 'join -> inner-end'],
        ),
        sequenceFlow('f1', 'sub', 'end'),
        endEvent('end'),
      ],
      [],
    ),
  );
  const workflowID = await start(host, definitionID, { variables: { x: 1 } });
  const { activeScopes } = await eventually(
    () => get(workflowID),
    ({ activeScopes: found }) => found.length === 2,
  );
  expect(activeScopes).toEqual([
    { scopeID: '1', nodeID: 'scopes', activeNodes: { sub: 1 }, processVersion: 1, variables: { x: 1 } },
    {
      scopeID: expect.any(String),
      parentScopeID: '1',
      nodeID: 'sub',
      activeNodes: { left: 1, join: 1 },
      processVersion: 1,
      variables: {},
    },
  ]);
});

test('the same Idempotency-Key with the same body starts once, with another body it is refused', async () => {
  const definitionID = await deploy(host, sequenceModel('once', [serviceTask('once-work')]));
  const headers = { 'Idempotency-Key': 'key-1' };
  const request = (variables: unknown) =>
    host.call('executor', 'POST', '/bpmn/instances', {
      json: { processDefinitionID: definitionID, variables },
      headers,
    });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => request({ n: 1 })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => body.workflowID)).size).toBe(1);
  expect(await request({ n: 2 })).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  const list = await host.call('viewer', 'GET', `/bpmn/instances?definitionID=${definitionID}`);
  expect(list.body.pagination.total).toBe(1);
});

test('a start that is refused does not use up its Idempotency-Key', async () => {
  const definitionID = await deploy(host, sequenceModel('refused', [serviceTask('refused-work')]));
  await host.store.query('UPDATE definitions SET suspended_at = now() WHERE id = $1', [definitionID]);
  const request = () =>
    host.call('executor', 'POST', '/bpmn/instances', {
      json: { processDefinitionID: definitionID },
      headers: { 'Idempotency-Key': 'key-2' },
    });
  expect(await request()).toMatchObject({ status: 409, body: { code: 'DEFINITION_SUSPENDED' } });
  await host.store.query('UPDATE definitions SET suspended_at = NULL WHERE id = $1', [definitionID]);
  expect((await request()).status).toBe(201);
});

test('an instance of a definition that does not exist here cannot be started', async () => {
  const unknown = { processDefinitionID: '00000000-0000-4000-8000-00000000dead' };
  expect((await host.call('executor', 'POST', '/bpmn/instances', { json: unknown })).status).toBe(404);
  expect(
    (await host.call('executor', 'POST', '/bpmn/instances', { json: { processDefinitionID: 'no-uuid' } })).status,
  ).toBe(400);
});

test('the list is narrowed by each filter and by all of them together', async () => {
  const first = await deploy(host, sequenceModel('filtered', [serviceTask('filtered-work')]));
  const other = await deploy(host, sequenceModel('filtered-too', []));
  const running = await start(host, first, { businessId: 'b-1' });
  const canceled = await start(host, first, { businessId: 'b-2' });
  await host.call('editor', 'DELETE', `/bpmn/instances/${canceled}`);
  const completed = await start(host, other, { businessId: 'b-1' });
  await untilStatus(host, completed, 'COMPLETED');
  const { createdAt } = (await host.call('viewer', 'GET', `/bpmn/instances?definitionID=${other}`)).body.data[0];
  const list = async (query: string) => ids(await host.call('viewer', 'GET', `/bpmn/instances?${query}`));

  expect(await list(`definitionID=${first}`)).toEqual([canceled, running]);
  expect(await list('processId=filtered')).toEqual([canceled, running]);
  expect(await list('businessId=b-1')).toEqual([completed, running]);
  expect(await list('processId=filtered&status=CANCELED')).toEqual([canceled]);
  expect(await list('processId=filtered&status=RUNNING&hasIncident=false&suspended=false')).toEqual([running]);
  expect(await list('processId=filtered&hasIncident=true')).toEqual([]);
  expect(await list('processId=filtered&suspended=true')).toEqual([]);
  expect(await list(`createdAfter=${encodeURIComponent(createdAt)}&processId=filtered`)).toEqual([]);
  expect(await list(`createdAfter=2020-01-01T00:00:00%2B02:00&businessId=b-2`)).toEqual([canceled]);
});

test('pages neither overlap nor leave anything out', async () => {
  const definitionID = await deploy(host, sequenceModel('paged', []));
  const started: string[] = [];
  for (let count = 0; count < 5; count += 1) started.unshift(await start(host, definitionID));
  const page = (number: number) =>
    host.call('viewer', 'GET', `/bpmn/instances?definitionID=${definitionID}&page=${number}&pageSize=2`);
  const pages = await Promise.all([1, 2, 3, 4].map(page));
  expect(pages.flatMap(ids)).toEqual(started);
  expect(pages[2]?.body.pagination).toEqual({ page: 3, pageSize: 2, total: 5, totalPages: 3 });
});

test.each([
  'status=running',
  'status=',
  'page=0',
  'pageSize=101',
  'pageSize=1e1',
  'hasIncident=yes',
  'createdAfter=yesterday',
  'createdAfter=2026-01-01',
  'unknown=1',
  'status=RUNNING&status=FAILED',
  'definitionID=x',
])('the list refuses ?%s', async (query) => {
  expect(await host.call('viewer', 'GET', `/bpmn/instances?${query}`)).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST' },
  });
});

test('called instances are children of their caller', async () => {
  await deploy(host, sequenceModel('called', [serviceTask('called-work')]));
  const definitionID = await deploy(
    host,
    sequenceModel('calling', [callActivity('call', 'called', { propagateAllChildVariables: true })]),
  );
  const parent = await start(host, definitionID, { businessId: 'family' });
  const children = () => host.call('viewer', 'GET', `/bpmn/instances/${parent}/children`);
  const { body } = await eventually(children, ({ body: found }) => found.children.length === 1);
  expect(body.children[0]).toMatchObject({ parentWorkflowID: parent, processId: 'called', status: 'RUNNING' });
  const listed = await host.call('viewer', 'GET', `/bpmn/instances?parentWorkflowID=${parent}`);
  expect(listed.body).toMatchObject({ data: body.children, pagination: { total: 1 } });
  expect(
    ids(await host.call('viewer', 'GET', `/bpmn/instances?parentWorkflowID=${body.children[0].workflowID}`)),
  ).toEqual([]);
  const job = await takeJob(host, 'called-work');
  expect(job.parentWorkflowID).toBe(parent);
  await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID: job.workflowID, variables: { done: 1 } },
  });
  expect(await untilStatus(host, parent, 'COMPLETED')).toMatchObject({ variables: { done: 1 } });
});

test('variables are merged into the process, and null takes one away', async () => {
  const definitionID = await deploy(host, sequenceModel('variables', [serviceTask('variables-work')]));
  const workflowID = await start(host, definitionID, { variables: { a: 1, b: 2 } });
  const at = `/bpmn/instances/${workflowID}/variables`;
  expect((await host.call('editor', 'PUT', at, { json: { variables: { b: null, c: { d: [3] } } } })).status).toBe(200);
  expect((await host.call('viewer', 'GET', at)).body).toEqual({ variables: { a: 1, c: { d: [3] } } });
  expect((await get(workflowID)).activeScopes[0].variables).toEqual({ a: 1, c: { d: [3] } });
});

test('names that JavaScript knows are variables like any other', async () => {
  const definitionID = await deploy(host, sequenceModel('names', [serviceTask('names-work')]));
  const variables = { constructor: 1, toString: 'x', hasOwnProperty: null, then: { then: 1 }, '': 0, length: 5 };
  const workflowID = await start(host, definitionID, { variables });
  expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body).toEqual({ variables });
});

test('a canceled instance and its children end, and refuse further commands', async () => {
  await deploy(host, sequenceModel('canceled-child', [serviceTask('canceled-work')]));
  const definitionID = await deploy(
    host,
    sequenceModel('canceled', [callActivity('call', 'canceled-child', { propagateAllChildVariables: true })]),
  );
  const workflowID = await start(host, definitionID);
  const job = await takeJob(host, 'canceled-work');
  expect((await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}?reason=not%20wanted`)).status).toBe(204);
  expect(await get(workflowID)).toMatchObject({ status: 'CANCELED', activeScopes: [] });
  const late = await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID: job.workflowID },
  });
  expect(late.status).toBe(409);
  await untilStatus(host, job.workflowID, 'CANCELED');
  expect(await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`)).toMatchObject({
    status: 409,
    body: { code: 'INSTANCE_ENDED' },
  });
  const variables = await host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, {
    json: { variables: { a: 1 } },
  });
  expect(variables).toMatchObject({ status: 409, body: { code: 'INSTANCE_ENDED' } });
});

test('the history has one entry per activation, in the order they began', async () => {
  const definitionID = await deploy(
    host,
    sequenceModel('history', [scriptTask('compute', '=1 + 1', 'sum'), serviceTask('history-work')]),
  );
  const workflowID = await start(host, definitionID);
  const job = await takeJob(host, 'history-work');
  const history = async (query = '') =>
    (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/history${query}`)).body;
  const running = await history();
  expect(
    running.data.map(({ nodeID, nodeType, status }: Record<string, string>) => [nodeID, nodeType, status]),
  ).toEqual([
    ['start', 'startEvent', 'Completed'],
    ['compute', 'scriptTask', 'Completed'],
    ['history-work', 'serviceTask', 'Started'],
  ]);
  expect(running.data[2]).toMatchObject({ executionKey: job.executionKey, scopeID: '1' });
  expect(running.data[2].endTime).toBeUndefined();
  expect(Date.parse(running.data[2].workStartedAt)).toBeGreaterThanOrEqual(
    Date.parse(running.data[2].startTime) - 1_000,
  );
  expect(running.data[1].workStartedAt).toBeUndefined();
  await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, { json: { workflowID } });
  const ended = await history('?page=2&pageSize=2');
  expect(ended.data.map(({ nodeID, status }: Record<string, string>) => [nodeID, status])).toEqual([
    ['history-work', 'Completed'],
    ['end', 'Completed'],
  ]);
  expect(ended.data[0].durationMs).toBeGreaterThanOrEqual(0);
  expect(ended.pagination).toEqual({ page: 2, pageSize: 2, total: 4, totalPages: 2 });
});

test('the replay view shows the instance after each fact', async () => {
  const definitionID = await deploy(
    host,
    sequenceModel('replayed', [scriptTask('compute', '=a + 1', 'b'), serviceTask('replay-work')]),
  );
  const workflowID = await start(host, definitionID, { variables: { a: 1 } });
  await takeJob(host, 'replay-work');
  const replay = (query = '') => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/replay${query}`);
  const now = (await replay()).body;
  expect(now).toMatchObject({
    at: now.last,
    status: 'RUNNING',
    variables: { a: 1, b: 2 },
    incidents: [],
    fact: { kind: expect.any(String) },
  });
  expect(now.activeScopes).toEqual((await get(workflowID)).activeScopes);
  expect((await replay('?at=0')).body).toMatchObject({ at: 0, last: now.last, variables: {}, activeScopes: [] });
  const steps = await Promise.all(Array.from({ length: now.last }, (_, index) => replay(`?at=${index + 1}`)));
  const nodes = steps.flatMap(({ body }) => (body.fact.kind === 'ELEMENT_ACTIVATED' ? [body.fact.nodeID] : []));
  expect(nodes).toEqual(['replayed', 'start', 'compute', 'replay-work']);
  expect(await replay(`?at=${now.last + 1}`)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  const pages = await Promise.all(
    [1, 2, 3].map((page) => replay(`/facts?page=${page}&pageSize=${Math.ceil(now.last / 2)}`)),
  );
  expect(pages.flatMap(({ body }) => body.data)).toEqual(
    steps.map(({ body: { at, status, fact } }) => ({ at, status, ...fact })),
  );
  expect(pages[2]!.body).toMatchObject({ data: [], pagination: { total: now.last, totalPages: 2 } });
});

test('nothing of an instance is found in another project', async () => {
  const definitionID = await deploy(host, sequenceModel('foreign', [serviceTask('foreign-work')]));
  const workflowID = await start(host, definitionID);
  const token = await host.token('admin', { projects: [{ id: 'p2', roles: ['admin'] }] });
  const paths = [
    '',
    '/children',
    '/variables',
    '/history',
    '/replay',
    '/replay/facts',
    '/incidents',
    '/external-jobs',
    '/user-tasks',
  ];
  for (const path of paths) {
    const response = await host.api.request('GET', `/projects/p2/bpmn/instances/${workflowID}${path}`, { token });
    expect(response.status, path).toBe(404);
  }
  expect((await host.api.request('DELETE', `/projects/p2/bpmn/instances/${workflowID}`, { token })).status).toBe(404);
  const start2 = { processDefinitionID: definitionID };
  expect((await host.api.request('POST', '/projects/p2/bpmn/instances', { token, json: start2 })).status).toBe(404);
});
