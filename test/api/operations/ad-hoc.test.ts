import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { adHocSubProcess, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, jobOf, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let definitionID: string;

beforeAll(async () => {
  host = await startTestHost();
  const work = adHocSubProcess('handling', [serviceTask('pack'), serviceTask('send')], [], { until: '=enough' });
  definitionID = await deploy(host, sequenceModel('adHoc', [work]));
});
afterAll(() => host.close());

const startWork = () => start(host, definitionID, { variables: { enough: false } });

const trigger = (workflowID: string, nodeID: string, adHocNodeID = 'handling') =>
  host.call('executor', 'POST', `/bpmn/instances/${workflowID}/adhoc/${adHocNodeID}/trigger`, { json: { nodeID } });

const setVariables = (workflowID: string, variables: Record<string, unknown>, adHocNodeID = 'handling') =>
  host.call('executor', 'POST', `/bpmn/instances/${workflowID}/adhoc/${adHocNodeID}/variables`, {
    json: { variables },
  });

test('an activity is begun as often as it is triggered, and variables that fulfill the condition end the work', async () => {
  const workflowID = await startWork();
  expect(await trigger(workflowID, 'pack')).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect(await jobOf(host, workflowID)).toMatchObject({ nodeID: 'pack', status: 'PENDING' });
  expect((await trigger(workflowID, 'pack')).status).toBe(200);
  expect((await setVariables(workflowID, { note: 'half' })).status).toBe(200);
  expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body.status).toBe('RUNNING');
  expect((await setVariables(workflowID, { enough: true })).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  const jobs = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  expect(jobs.body.data.map(({ status }: { status: string }) => status)).toEqual(['CANCELED', 'CANCELED']);
});

test('an activity that the instance does not have is 404, one that is elsewhere or cannot begin is 400', async () => {
  const workflowID = await startWork();
  expect((await trigger(workflowID, 'pack', 'nothing')).status).toBe(404);
  expect((await trigger(workflowID, 'pack', 'pack')).status).toBe(404);
  expect((await setVariables(workflowID, {}, 'start')).status).toBe(404);
  expect((await setVariables('nobody', {})).status).toBe(404);
  expect(await trigger(workflowID, 'end')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(
    (await host.call('executor', 'POST', `/bpmn/instances/${workflowID}/adhoc/handling/trigger`, { json: {} })).status,
  ).toBe(400);
});

test('an ad-hoc sub-process that is not active yet or any more is a conflict', async () => {
  const inside = adHocSubProcess('handling', serviceTask('pack'));
  const early = await start(host, await deploy(host, sequenceModel('later', [serviceTask('first'), inside])));
  await eventually(
    () => jobOf(host, early),
    ({ nodeID }) => nodeID === 'first',
  );
  expect(await trigger(early, 'pack')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const late = await startWork();
  await setVariables(late, { enough: true });
  await untilStatus(host, late, 'COMPLETED');
  expect(await trigger(late, 'pack')).toMatchObject({ status: 409, body: { code: 'INSTANCE_ENDED' } });
  expect(await setVariables(late, {})).toMatchObject({ status: 409, body: { code: 'INSTANCE_ENDED' } });
});

/** A driven ad-hoc sub-process with two tools, and a client that holds its job. */
async function driven(processID: string) {
  const work = adHocSubProcess('agent', [serviceTask(`${processID}-search`), serviceTask(`${processID}-mail`)], [], {
    job: processID,
  });
  const id = await deploy(host, sequenceModel(processID, [work]));
  const workflowID = await start(host, id, { variables: { goal: 'reply' } });
  return { workflowID, search: `${processID}-search`, mail: `${processID}-mail` };
}

const complete = (executionKey: string, body: Record<string, unknown>) =>
  host.call('executor', 'POST', `/bpmn/external-jobs/${encodeURIComponent(executionKey)}/complete`, { json: body });

const take = async (taskType: string) => {
  const poll = { taskType, clientID: 'agent-1', timeout: '20s', lockDuration: '1m' };
  return (await host.call('executor', 'POST', '/bpmn/external-jobs/poll', { json: poll })).body[0];
};

test('a worker decides what an ad-hoc sub-process does, and repeating its decision gives the first answer', async () => {
  const { workflowID, search } = await driven('deciding');
  const asked = await take('deciding');
  expect(asked).toMatchObject({
    nodeID: 'agent',
    variables: { goal: 'reply', adHocSubProcessElements: [{ elementId: search }, { elementId: 'deciding-mail' }] },
  });
  const decision = {
    workflowID,
    clientID: 'agent-1',
    variables: { turns: 1 },
    result: { type: 'adHocSubProcess', activateElements: [{ elementId: search, variables: { query: 'x' } }] },
  };
  const first = await complete(asked.executionKey, decision);
  expect(first).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect((await complete(asked.executionKey, decision)).body.commandID).toBe(first.body.commandID);
  const other = { ...decision, result: { activateElements: [{ elementId: search }] } };
  expect(await complete(asked.executionKey, other)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const tool = await take(search);
  expect(tool.variables).toMatchObject({ goal: 'reply', turns: 1, query: 'x' });
  await complete(tool.executionKey, { workflowID, clientID: 'agent-1' });
  const again = await take('deciding');
  await complete(again.executionKey, {
    workflowID,
    clientID: 'agent-1',
    result: { isCompletionConditionFulfilled: true },
  });
  await untilStatus(host, workflowID, 'COMPLETED');
});

test('a decision that does not apply is 400, and the worker keeps its lease and can correct it', async () => {
  const { workflowID, search } = await driven('refusing');
  const { executionKey } = await take('refusing');
  const said = (result?: unknown) => complete(executionKey, { workflowID, clientID: 'agent-1', result });
  for (const result of [
    { activateElements: [{ elementId: 'nothing' }] },
    { activateElements: [{ elementId: search }], isCompletionConditionFulfilled: true },
    {},
    { activateElements: search },
    { type: 'userTask' },
  ])
    expect(await said(result)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect((await said()).status).toBe(400);
  expect((await said({ activateElements: [{ elementId: search }] })).status).toBe(200);
  const tool = await take(search);
  expect(
    await complete(tool.executionKey, { workflowID, clientID: 'agent-1', result: { activateElements: [] } }),
  ).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect((await complete(tool.executionKey, { workflowID, clientID: 'agent-1' })).status).toBe(200);
});

test('decisions of a batch are taken one by one', async () => {
  const [one, two] = [await driven('batched-one'), await driven('batched-two')];
  const [first, second] = [await take('batched-one'), await take('batched-two')];
  const items = [
    {
      executionKey: first.executionKey,
      workflowID: one.workflowID,
      result: { activateElements: [{ elementId: 'no' }] },
    },
    { executionKey: second.executionKey, workflowID: two.workflowID, result: { isCompletionConditionFulfilled: true } },
  ];
  const { body } = await host.call('executor', 'POST', '/bpmn/external-jobs/batch/complete', {
    json: { clientID: 'agent-1', items },
  });
  expect(body.results).toEqual([
    { executionKey: first.executionKey, status: 'error', error: expect.stringContaining('BAD_REQUEST') },
    { executionKey: second.executionKey, status: 'completed' },
  ]);
  await untilStatus(host, two.workflowID, 'COMPLETED');
});

test('turns of an agent cost what the current prices of their models say, and other turns are counted', async () => {
  const inputs = { url: 'https://models.example/v1', model: 'small', goal: 'Help' };
  const work = adHocSubProcess('priced', [serviceTask('look')], [], { job: 'perdure:agent', inputs });
  const workflowID = await start(host, await deploy(host, sequenceModel('pricedAgent', [work])));
  await host.store.query(
    `INSERT INTO agent_turns (workflow_id, element, turn, node_id, job, answered_at, input_tokens, output_tokens, counted_tokens, model)
     VALUES ($1, 5, 1, 'priced', 6, now(), 1000, 100, 1100, 'small'), ($1, 5, 2, 'priced', 7, now(), 3, 0, 3, 'large'),
       ($1, 5, 3, 'priced', 8, now(), 7, 7, 14, 'other'), ($1, 5, 4, 'priced', 9, now(), NULL, NULL, 4096, 'small'),
       ($1, 9, 1, 'priced', 10, now(), 1, 1, 2, 'small'), ($1, 9, 2, 'priced', 11, NULL, NULL, NULL, 4096, 'small')`,
    [workflowID],
  );
  const turns = async (query = '') =>
    (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/agents/priced/turns${query}`)).body;
  const tokens = { inputTokens: 1011, outputTokens: 108 };
  expect((await turns()).totals).toEqual({ ...tokens, costs: [], turnsWithoutCost: 5 });
  const small = { model: 'small', inputPerMillion: 0.1, outputPerMillion: 0.3, currency: 'USD' };
  const large = { model: 'large', inputPerMillion: 1, outputPerMillion: 2, currency: 'EUR' };
  const costs = [
    { amount: '0.000003', currency: 'EUR' },
    { amount: '0.0001304', currency: 'USD' },
  ];
  await host.call('admin', 'PATCH', '/settings', { json: { agentPrices: [small, large] } });
  const { data, totals } = await turns();
  expect(totals).toEqual({ ...tokens, costs, turnsWithoutCost: 2 });
  expect(data.map(({ cost }: { cost?: { amount: string } }) => cost?.amount)).toEqual([
    '0.00013',
    '0.000003',
    undefined,
    undefined,
    '0.0000004',
    undefined,
  ]);
  expect(data[2]).toMatchObject({ model: 'other', inputTokens: 7 });
  expect((await turns('?page=2&pageSize=2')).totals).toEqual({ ...tokens, costs, turnsWithoutCost: 2 });
  await host.call('admin', 'PATCH', '/settings', { json: { agentPrices: [{ ...small, inputPerMillion: 1_000_000 }] } });
  expect((await turns()).totals.costs).toEqual([{ amount: '1001.0000303', currency: 'USD' }]);
});
