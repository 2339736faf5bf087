/** The external task protocol and the correlation of messages, as operations of the API. */
import type { z } from 'zod';
import type { OperationResult } from '../commands/operation.js';
import { problem, isProblem, notFound, type Problem } from '../contract/problem.js';
import { completeBpmnExternalJob } from '../operations/external-jobs/complete.js';
import { throwBpmnExternalJobError, type ReportedFailure } from '../operations/external-jobs/error.js';
import { heartbeatBpmnExternalJob } from '../operations/external-jobs/heartbeat.js';
import { pollBpmnExternalJobs } from '../operations/external-jobs/poll.js';
import { maxPollSeconds } from '../operations/external-jobs/shared/schemas.js';
import { publishBpmnMessage } from '../operations/messages/publish.js';
import type { publication } from '../operations/messages/shared/schemas.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import { MAX_ERROR_MESSAGE_LENGTH } from '../../store/work/job-ends.js';
import * as requests from './requests.js';
import { tasksOf } from './tasks.js';
import { translated, type Endpoint } from './translated.js';
import { unlock } from './unlock.js';
import { readTyped } from './variables.js';

const MAX_TASKS = 100;

const fetchAndLock = translated(pollBpmnExternalJobs, {
  path: '/external-task/fetchAndLock',
  body: requests.fetchRequest,
  translate: ({ body: { workerId, maxTasks, asyncResponseTimeout, topics } }) => ({
    body: {
      clientID: workerId,
      maxJobs: Math.min(maxTasks, MAX_TASKS),
      timeout: `${Math.min(asyncResponseTimeout ?? 0, maxPollSeconds * 1_000)}ms`,
      taskTypes: topics.map(({ topicName, lockDuration, variables }) => ({
        taskType: topicName,
        lockDuration: `${lockDuration}ms`,
        ...(variables && { fetchVariables: variables }),
      })),
    },
  }),
  answer: tasksOf,
});

const complete = translated(completeBpmnExternalJob, {
  path: '/external-task/{executionKey}/complete',
  body: requests.completeRequest,
  async translate({ body, params, reading }) {
    const job = parseExecutionKey(params['executionKey']!);
    if (job === undefined) return notFound('the id of the task is not an execution key');
    const variables = await readTyped([body.localVariables, body.variables], reading);
    if (isProblem(variables)) return variables;
    return { body: { clientID: body.workerId, workflowID: job.workflowID, variables } };
  },
});

/** Names the failures of all external tasks. As in Camunda 7, no error event catches one. */
const FAILURE_CODE = 'EXTERNAL_TASK_FAILED';

const failure = translated(throwBpmnExternalJobError, {
  path: '/external-task/{executionKey}/failure',
  body: requests.failureRequest,
  translate({ body: { workerId, errorMessage, errorDetails, retries, retryTimeout } }) {
    const attemptsLeft = retries ?? 0;
    return {
      body: {
        clientID: workerId,
        errorCode: FAILURE_CODE,
        ...messageOf([errorMessage, errorDetails]),
        retryable: attemptsLeft > 0,
        retryBackoff: `${retryTimeout ?? 0}ms`,
      },
      more: { attemptsLeft, uncaught: true } satisfies Partial<ReportedFailure>,
    };
  },
});

const bpmnError = translated(throwBpmnExternalJobError, {
  path: '/external-task/{executionKey}/bpmnError',
  body: requests.bpmnErrorRequest,
  async translate({ body: { workerId, errorCode, errorMessage, variables: typed }, reading }) {
    const variables = await readTyped([typed], reading);
    if (isProblem(variables)) return variables;
    return { body: { clientID: workerId, errorCode, ...messageOf([errorMessage]), retryable: false, variables } };
  },
});

/** The parts of a message that are there, and as much of them as a job keeps. */
function messageOf(parts: readonly (string | null | undefined)[]): { errorMessage?: string } {
  const text = parts.filter((part) => part).join('\n\n');
  if (text === '') return {};
  // A pair of surrogates is never cut in two.
  return { errorMessage: text.slice(0, MAX_ERROR_MESSAGE_LENGTH).replace(/[\ud800-\udbff]$/, '') };
}

const extendLock = translated(heartbeatBpmnExternalJob, {
  path: '/external-task/{executionKey}/extendLock',
  body: requests.extendLockRequest,
  translate: ({ body: { workerId, newDuration } }) => ({
    body: { clientID: workerId, lockDuration: `${newDuration}ms` },
  }),
});

/** Nothing keeps a message that no one waits for: its sender gets an error, as there. */
const message = translated(publishBpmnMessage, {
  path: '/message',
  body: requests.messageRequest,
  async translate({ body, reading }) {
    const keys = await readTyped([body.correlationKeys, body.localCorrelationKeys], reading);
    if (isProblem(keys)) return keys;
    const variables = await readTyped([body.processVariables, body.processVariablesLocal], reading);
    if (isProblem(variables)) return variables;
    const correlationKeys = correlationOf(keys, body.businessKey);
    return {
      body: {
        messageName: body.messageName,
        ...(correlationKeys !== undefined && { correlationKeys }),
        variables,
        ttl: 'PT0S',
      },
    };
  },
  answer: correlated,
});

/** A single key is the value that a model compares. Several are an object. */
function correlationOf(keys: Record<string, unknown>, businessKey: string | null | undefined): unknown {
  const values = Object.values(keys);
  if (values.length === 0) return businessKey || undefined;
  return values.length === 1 ? values[0] : keys;
}

function correlated({ status, body }: OperationResult): OperationResult | Problem<'BAD_REQUEST'> {
  const { state } = body as z.output<typeof publication>;
  // While it is still being delivered, it has reached an instance or will.
  if (status === 202 || state === 'TAKEN' || state === 'CLAIMED') return { status: 204 };
  return problem(
    'BAD_REQUEST',
    'No process and no instance waits for a message with this name and these correlation keys. It is not kept.',
  );
}

export const endpoints: readonly Endpoint[] = [fetchAndLock, complete, failure, bpmnError, extendLock, unlock, message];
