/** JSON test cases of Camunda's process tests, read as scenarios. */
import { expect, it } from 'vitest';
import { openBundle, readTests, runScenario, type ReadTest } from '@perdure/testkit';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  on,
  processModel,
  root,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';

const order = processModel(
  'order',
  [
    startEvent('start'),
    serviceTask('charge', { type: 'charge-card' }),
    boundaryEvent('declined', 'charge', on.error('DECLINED')),
    userTask('approve'),
    catchEvent('paid', on.message('payment')),
    catchEvent('day', on.timer('P1D')),
    endEvent('done'),
    endEvent('refused'),
  ],
  ['start -> charge -> approve -> paid -> day -> done', 'declined -> refused'],
  [root.error('DECLINED'), root.message('payment', '=orderID')].join(''),
);
const create = {
  type: 'CREATE_PROCESS_INSTANCE',
  processDefinitionSelector: { processDefinitionId: 'order' },
  variables: { orderID: 'o1' },
};
const processInstanceSelector = { processDefinitionId: 'order' };

function testCase(name: string, ...instructions: object[]): ReadTest {
  return readTests(JSON.stringify({ testCases: [{ name, instructions }] }), 'order.json')[0]!;
}

async function run(test: ReadTest) {
  if ('invalid' in test) throw test.invalid;
  return runScenario(test.scenario, await openBundle([{ name: 'order.bpmn', text: order }]));
}

function elements(state: string, ...ids: string[]) {
  const elementSelectors = ids.map((elementId) => ({ elementId }));
  return { type: 'ASSERT_ELEMENT_INSTANCES', processInstanceSelector, elementSelectors, state };
}

it('actions and assertions with a counterpart are carried out', async () => {
  const result = await run(
    testCase(
      'happy path',
      { type: 'SET_TIME', time: '2026-02-01T00:00:00Z' },
      create,
      elements('IS_ACTIVE', 'charge'),
      { type: 'COMPLETE_JOB', jobSelector: { jobType: 'charge-card' }, variables: { receipt: 7 } },
      { type: 'ASSERT_USER_TASK', userTaskSelector: { elementId: 'approve' }, state: 'IS_CREATED' },
      elements('IS_NOT_ACTIVATED', 'paid', 'done'),
      { type: 'COMPLETE_USER_TASK', userTaskSelector: { elementId: 'approve' } },
      { type: 'PUBLISH_MESSAGE', name: 'payment', correlationKey: 'o1', variables: { paid: true } },
      elements('IS_ACTIVE_EXACTLY', 'day'),
      { type: 'UPDATE_VARIABLES', processInstanceSelector, variables: { note: 'x' } },
      { type: 'INCREASE_TIME', duration: 'P1D' },
      elements('IS_COMPLETED_IN_ORDER', 'charge', 'approve', 'done'),
      elements('IS_COMPLETED', 'done', 'charge'),
      { type: 'ASSERT_VARIABLES', processInstanceSelector, variables: { receipt: 7, paid: true, note: 'x' } },
      { type: 'ASSERT_PROCESS_INSTANCE', processInstanceSelector, state: 'IS_COMPLETED', hasActiveIncidents: false },
    ),
  );
  expect(result.failure).toBeUndefined();
});

it('an assertion that is not true fails with what is there instead', async () => {
  const { failure } = await run(testCase('wrong', create, elements('IS_ACTIVE', 'approve')));
  expect(failure?.differences).toEqual([{ what: 'active', expected: 'approve', found: 'charge' }]);
  const declined = { type: 'THROW_BPMN_ERROR_FROM_JOB', jobSelector: { elementId: 'charge' }, errorCode: 'DECLINED' };
  const state = 'IS_ACTIVE';
  const ended = await run(
    testCase('e', create, declined, { type: 'ASSERT_PROCESS_INSTANCE', processInstanceSelector, state }),
  );
  expect(ended.failure?.differences).toEqual([{ what: 'status', expected: 'RUNNING', found: 'COMPLETED' }]);
});

it('every instruction and member without a counterpart is named, and the other test cases of the file are read', () => {
  const [first, second] = readTests(
    JSON.stringify({
      testCases: [
        {
          name: 'with mocks',
          instructions: [
            { type: 'MOCK_CHILD_PROCESS', processDefinitionId: 'x' },
            create,
            { type: 'COMPLETE_JOB', jobSelector: { elementId: 'charge' }, useExampleData: true },
            { type: 'COMPLETE_USER_TASK', userTaskSelector: { taskName: 'Approve' } },
            {
              type: 'ASSERT_PROCESS_INSTANCE',
              processInstanceSelector: { processDefinitionId: 'y' },
              state: 'IS_ACTIVE',
            },
            { type: 'PUBLISH_MESSAGE', name: 'm', timeToLive: 5 },
            { type: '__proto__' },
            null,
          ],
        },
        { name: 'plain', instructions: [create] },
      ],
    }),
    'order.json',
  );
  const { message } = (first as { invalid: Error }).invalid;
  expect(message.split('\n').map((line) => line.trim())).toEqual([
    'order.json, test case "with mocks", is not a scenario:',
    'testCases[0].instructions[0]: MOCK_CHILD_PROCESS has no counterpart',
    'testCases[0].instructions[2]: COMPLETE_JOB has no counterpart for "useExampleData"',
    'testCases[0].instructions[3]: COMPLETE_USER_TASK has no counterpart for "userTaskSelector" without "elementId"',
    'testCases[0].instructions[4]: ASSERT_PROCESS_INSTANCE has no counterpart for a selector of another process than order, "y"',
    'testCases[0].instructions[5]: PUBLISH_MESSAGE has no counterpart for "timeToLive"',
    'testCases[0].instructions[6]: __proto__ has no counterpart',
    'testCases[0].instructions[7]: undefined has no counterpart',
  ]);
  expect(second).toMatchObject({ name: 'plain', scenario: { process: 'order' } });
});
