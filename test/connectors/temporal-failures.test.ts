import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  ChildWorkflowFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/common';
import { expect, it } from 'vitest';
import { ForeignCodec, UNREADABLE } from '../../connectors/temporal/foreign-codec.js';
import { readTask } from '../../connectors/temporal/read-task.js';
import { failureOf } from '../../connectors/temporal/runner/failures.js';
import { TaskError } from '../../connectors/results/task-error.js';

const ofActivity = (cause: Error) =>
  new ActivityFailure('Activity task failed', 'charge', '1', 'NON_RETRYABLE_FAILURE', 'x', cause);
const ofChild = (cause: Error) =>
  new ChildWorkflowFailure('default', { workflowId: 'w', runId: 'r' }, 'ship', 'NON_RETRYABLE_FAILURE', cause);

it.each<[string, Error, string]>([
  ['the type of a failure', ofActivity(ApplicationFailure.create({ type: 'Declined', message: 'no' })), 'Declined'],
  [
    'the outermost of several',
    ofActivity(
      ApplicationFailure.create({ type: 'Outer', message: 'o', cause: ApplicationFailure.create({ type: 'Inner' }) }),
    ),
    'Outer',
  ],
  [
    'that of the service behind Nexus',
    ofActivity(
      ApplicationFailure.create({ type: 'OperationError', cause: ApplicationFailure.create({ type: 'Declined' }) }),
    ),
    'Declined',
  ],
  [
    'the failure before a timeout',
    ofActivity(
      Object.assign(new TimeoutFailure('late', null, 'START_TO_CLOSE'), {
        cause: ApplicationFailure.create({ type: 'Busy' }),
      }),
    ),
    'Busy',
  ],
  ['a timeout', ofActivity(new TimeoutFailure('late', null, 'HEARTBEAT')), 'TEMPORAL_TIMEOUT'],
  ['a cancellation', ofChild(new CancelledFailure('stop')), 'TEMPORAL_CANCELED'],
  ['a termination', ofChild(new TerminatedFailure('killed')), 'TEMPORAL_TERMINATED'],
  ['no type', ofActivity(ApplicationFailure.create({ message: 'no' })), 'TEMPORAL_FAILED'],
  ['anything else', new Error('a bug'), 'TEMPORAL_FAILED'],
])('the code of a failure is %s', (_what, error, code) => {
  expect(failureOf(error).code).toBe(code);
});

it('a failure keeps small details and drops large ones', () => {
  const failing = (...details: unknown[]) => failureOf(ofActivity(ApplicationFailure.create({ type: 'A', details })));
  expect(failing({ limit: 5 })).toMatchObject({ details: { limit: 5 } });
  expect(failing(1, 2)).toMatchObject({ details: [1, 2] });
  expect(failing('x'.repeat(40_000))).not.toHaveProperty('details');
});

const job = (headers: Record<string, string>, variables = {}) => ({
  taskType: 'temporal:activity',
  headers: { activity: 'a', taskQueue: 'q', ...headers },
  variables,
  retries: 3,
  executionKey: 'i:1',
});
const allowed = { taskQueues: ['q'], endpoints: [] };

it.each<[string, Record<string, string>, string]>([
  ['TEMPORAL_TASK_INVALID', { maximumAttempts: '=0' }, 'maximumAttempts must be a whole number'],
  ['TEMPORAL_TASK_INVALID', { taskQueue: '=null' }, 'taskQueue is missing or null'],
  ['TEMPORAL_TASK_INVALID', { activity: '={a: 1}' }, 'must be a text, a number, or a list of texts'],
  ['TEMPORAL_TASK_INVALID', { resultExpression: '={' }, 'is not FEEL'],
  [
    'TEMPORAL_TASK_INVALID',
    { activity: afterSteps('charge'), startToCloseTimeout: afterSteps('PT1S'), heartbeatTimeout: afterSteps('PT1S') },
    'limit of 300000 steps',
  ],
  ['TEMPORAL_REFUSED', { taskQueue: 'Q' }, 'TEMPORAL_TASKS_ALLOW'],
])('a task ends with %s for %j', (code, headers, why) => {
  const read = () => readTask(job(headers), [], allowed);
  expect(read).toThrow(TaskError);
  expect(read).toThrow(why);
  expect(failureCode(read)).toBe(code);
});

/** A header whose evaluation takes a third of the steps that all headers have, or more. */
function afterSteps(text: string): string {
  return `=if count(for i in 1..20000 return i / 7) > 0 then "${text}" else ""`;
}

function failureCode(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    return error instanceof TaskError ? error.code : undefined;
  }
  return undefined;
}

it('a payload of a worker of others is read if it is JSON, and said to be unreadable if not', async () => {
  const decode = async (encoding: string, data: string) => {
    const payload = { metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) };
    const [decoded] = await new ForeignCodec(undefined).decode([payload]);
    return JSON.parse(Buffer.from(decoded!.data!).toString());
  };
  expect(await decode('json/plain', '{"a":1}')).toEqual({ a: 1 });
  expect(await decode('json/protobuf', '{}')).toEqual({ [UNREADABLE]: 'its encoding is json/protobuf' });
  expect(await decode('binary/encrypted', 'x')).toEqual({ [UNREADABLE]: 'its encoding is binary/encrypted' });
  expect(await decode('json/plain', '{')).toHaveProperty([UNREADABLE]);
});
