import { expect, test } from 'vitest';
import { extended, problemsOf, through } from './support/model.js';

type Headers = Record<string, string>;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const task = (type: string, headers: Headers, element = 'serviceTask') =>
  extended(
    `${element} id="m"`,
    `<zeebe:taskDefinition type="${type}"/><zeebe:taskHeaders>${Object.entries(headers)
      .map(([key, value]) => `<zeebe:header key="${key}" value="${escaped(value)}"/>`)
      .join('')}</zeebe:taskHeaders>`,
  );
const problems = (type: string, headers: Headers) => problemsOf(through(task(type, headers)));

const ACTIVITY = { activity: 'charge', taskQueue: 'payments' };

test('a task with the headers of its type compiles', async () => {
  const all: [string, Headers][] = [
    ['temporal:activity', ACTIVITY],
    [
      'temporal:activity',
      {
        ...ACTIVITY,
        startToCloseTimeout: 'PT10M',
        scheduleToCloseTimeout: '2h',
        heartbeatTimeout: 'PT5S',
        maximumAttempts: '3',
        nonRetryableErrorTypes: 'Declined, Expired',
        resultVariable: 'payment',
        resultExpression: '={id: response.id}',
        errorExpression: '=if error.code = "Declined" then bpmnError("DECLINED", "no") else null',
      },
    ],
    [
      'temporal:workflow',
      { workflow: 'ship', taskQueue: 'w', workflowExecutionTimeout: 'P1D', workflowIdPrefix: 's-' },
    ],
    ['temporal:nexus', { endpoint: 'pay', service: 'payments', operation: 'charge', scheduleToCloseTimeout: 'PT1H' }],
  ];
  for (const [type, headers] of all) expect(await problems(type, headers)).toEqual([]);
});

test('a header can be FEEL, and its syntax is checked', async () => {
  expect(await problems('temporal:activity', { ...ACTIVITY, taskQueue: '="pay-" + region' })).toEqual([]);
  expect(await problems('temporal:activity', { ...ACTIVITY, maximumAttempts: '=1 +' })).toEqual([
    expect.stringContaining(
      'error m: m has the job type temporal:activity, but the task header maximumAttempts is not FEEL (line 1',
    ),
  ]);
  expect(await problems('temporal:activity', { ...ACTIVITY, errorExpression: '{code: ' })).toHaveLength(1);
});

test.each<[string, Headers, string]>([
  ['temporal:activity', { activity: 'charge' }, 'the task header taskQueue is missing. Add it.'],
  ['temporal:activity', { activity: '', taskQueue: 'q' }, 'the task header activity is missing. Add it.'],
  ['temporal:workflow', { taskQueue: 'q' }, 'the task header workflow is missing. Add it.'],
  ['temporal:nexus', { service: 's', operation: 'o' }, 'the task header endpoint is missing. Add it.'],
  [
    'temporal:activity',
    { ...ACTIVITY, heartbeatTimeout: 'soon' },
    'the task header heartbeatTimeout must be a duration of 1 ms to ten years, such as PT10M, not "soon"',
  ],
  [
    'temporal:activity',
    { ...ACTIVITY, startToCloseTimeout: 'PT0S' },
    'the task header startToCloseTimeout must be a duration of 1 ms to ten years, such as PT10M, not "PT0S"',
  ],
  [
    'temporal:activity',
    { ...ACTIVITY, maximumAttempts: '0' },
    'the task header maximumAttempts must be a whole number from 1 to 999999, not "0"',
  ],
  [
    'temporal:activity',
    { ...ACTIVITY, nonRetryableErrorTypes: 'A,,B' },
    'the task header nonRetryableErrorTypes must be names of 1 to 255 characters, separated by commas, not "A,,B"',
  ],
  [
    'temporal:activity',
    { ...ACTIVITY, workflowIdPrefix: 'x' },
    'the task header workflowIdPrefix is not known. The headers are activity, taskQueue, startToCloseTimeout, scheduleToCloseTimeout, heartbeatTimeout, maximumAttempts, nonRetryableErrorTypes, resultVariable, resultExpression, errorExpression.',
  ],
])('%s with %j is refused', async (type, headers, why) => {
  expect(await problems(type, headers)).toEqual([`error m: m has the job type ${type}, but ${why}`]);
});

test('a type that only looks like one is refused', async () => {
  expect(await problems('temporal:activty', ACTIVITY)).toEqual([
    'error m: m has the job type temporal:activty, which is not known. The types that start with temporal: are temporal:activity, temporal:workflow, temporal:nexus.',
  ]);
});

test('an ad-hoc sub-process needs a job worker that decides', async () => {
  const inside = '<bpmn:task id="t"/>';
  const adHoc = task('temporal:activity', ACTIVITY, 'adHocSubProcess').replace(
    '</bpmn:extensionElements>',
    `</bpmn:extensionElements>${inside}`,
  );
  expect(await problemsOf(through(adHoc))).toContain(
    'error m: m has the job type temporal:activity, but only a job worker can drive an ad-hoc sub-process. Give it another job type.',
  );
});
