import { afterAll, beforeAll, expect, test } from 'vitest';
import { decision, dmn, literal } from '../../../dmn/support.js';
import { startTestHost, type TestHost } from '../support/host.js';
import { sequenceModel } from '@perdure/testkit/models';
import { deploy, start, untilStatus } from '../support/steps.js';
import { eventually } from '../../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

/** A file with the decision `<id>`, with a version tag when one is given. */
const file = (id: string, text: string, tag?: string): string => {
  const extension =
    tag === undefined
      ? ''
      : `<extensionElements><zeebe:versionTag xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" value="${tag}"/></extensionElements>`;
  return dmn(decision(id, literal(text)).replace('<variable', `${extension}<variable`), {
    target: `urn:${id}`,
  }).replace('id="model"', `id="file_${id}"`);
};
const keep = async (xml: string): Promise<string> => {
  const created = await host.call('editor', 'POST', '/dmn/definitions', { json: { name: 'Rules', xml } });
  return created.body.id as string;
};
const ruleTask = (id: string, decisionID: string, binding = '') =>
  `<bpmn:businessRuleTask id="${id}"><bpmn:extensionElements><zeebe:calledDecision decisionId="${decisionID}" resultVariable="result" ${binding}/></bpmn:extensionElements></bpmn:businessRuleTask>`;
const resultOf = async (definitionID: string, variables: object = {}): Promise<unknown> => {
  const workflowID = await start(host, definitionID, { variables });
  return (await untilStatus(host, workflowID, 'COMPLETED')).variables.result;
};
const incidentOf = async (workflowID: string) =>
  (
    await eventually(
      () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`),
      ({ body }) => body.data.length > 0,
    )
  ).body.data[0];

test('a business rule task calls a decision with the variables it sees and keeps the result', async () => {
  await keep(file('price', 'amount * 0.9'));
  const process = await deploy(host, sequenceModel('pricing', [ruleTask('decide', 'price')]));
  expect(await resultOf(process, { amount: 100 })).toBe(90);
});

test('latest is the newest version, deployment the one when the process was deployed, a tag the newest with it', async () => {
  await keep(file('bound', '"first"', 'stable'));
  const bindings = ['', 'bindingType="deployment"', 'bindingType="versionTag" versionTag="stable"'];
  const processes = await Promise.all(
    bindings.map((binding, index) =>
      deploy(host, sequenceModel(`bound_${index}`, [ruleTask('decide', 'bound', binding)])),
    ),
  );
  await keep(file('bound', '"second"'));
  expect(await Promise.all(processes.map((process) => resultOf(process)))).toEqual(['second', 'first', 'first']);
});

test('an unknown decision is an incident that a later file and a resolve repair', async () => {
  const process = await deploy(host, sequenceModel('early', [ruleTask('decide', 'late')]));
  const workflowID = await start(host, process);
  const incident = await incidentOf(workflowID);
  expect(incident).toMatchObject({
    nodeID: 'decide',
    errorType: 'DecisionNotFound',
    errorMessage: expect.stringContaining('"late"'),
  });
  await keep(file('late', '1'));
  expect(
    (
      await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/incidents/${incident.incidentID}/resolve`, {
        json: {},
      })
    ).status,
  ).toBe(200);
  expect((await untilStatus(host, workflowID, 'COMPLETED')).variables.result).toBe(1);
});

test.each([
  ['a variable that is missing', 'missing', 'amount + 1', 'UNRESOLVED_VARIABLE'],
  ['a division by zero', 'dividing', '1 / 0', 'DIVISION_BY_ZERO'],
  ['an endless computation', 'endless', 'count(for i in 1..90000, j in 1..90000 return i)', 'BUDGET'],
  ['an expression that does not parse', 'broken', '1 +', 'SYNTAX'],
])('%s is an incident at the task', async (_what, id, text, errorCode) => {
  await keep(file(id, text));
  const workflowID = await start(host, await deploy(host, sequenceModel(`rule_${id}`, [ruleTask('decide', id)])));
  expect(await incidentOf(workflowID)).toMatchObject({
    nodeID: 'decide',
    errorType: 'FeelError',
    errorCode,
    errorMessage: expect.stringContaining(`"${id}"`),
  });
});

test('a decision that a process has used stays', async () => {
  const id = await keep(file('kept', '1'));
  await resultOf(await deploy(host, sequenceModel('keeping', [ruleTask('decide', 'kept')])));
  expect((await host.call('editor', 'DELETE', `/dmn/definitions/${id}`)).status).toBe(409);
});
