import type { z } from 'zod';
import { throwJobError } from '../../../store/work/job-ends.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { commandRequest } from '../../commands/define-command.js';
import { variableNames } from '../../contract/audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem, notFound } from '../../contract/problem.js';
import { refusalProblem } from '../../commands/refusal.js';
import { parseExecutionKey } from '../../../store/sql/ids.js';
import { withNextJobs } from './shared/lease-jobs.js';
import { measureEnd } from './shared/measure-end.js';
import { errorRequest, errorResponse, jobEnd, maxPollSeconds } from './shared/schemas.js';

/** Another protocol can also say how many attempts remain, and that no event catches the failure. */
export type ReportedFailure = z.output<typeof errorRequest> & {
  readonly attemptsLeft?: number;
  readonly uncaught?: true;
};

export const throwBpmnExternalJobError = defineOperation({
  operationID: 'ThrowBpmnExternalJobError',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/{executionKey}/error',
  role: 'executor',
  records: {
    entry: 'within',
    says: ({ body }) => ({
      ...variableNames({ body }),
      details: { errorCode: body.errorCode, retryable: body.retryable },
    }),
  },
  summary: 'Report the failure of a job',
  description:
    'With `retryable` (the default), the job is leased again while attempts remain. After the last attempt, or when ' +
    'not retryable, the error goes to the error event that catches its code. An error that nothing catches becomes an incident. While the ' +
    'instance is suspended, only the holder of the lease can report a failure; an error for the instance is applied when it is resumed (202). ' +
    'With `poll`, the response also carries the next `jobs`, as when a job is completed.',
  request: { body: errorRequest },
  responses: {
    200: { description: 'Retry scheduled, or error applied', schema: errorResponse },
    202: { ...acceptedResponse, schema: jobEnd },
  },
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'LEASE_LOST', 'SUSPENDED'],
  waits: 'outcome',
  polls: ({ poll }) => poll?.timeout ?? 0,
  deadlineSeconds: commandDeadlineSeconds + maxPollSeconds,
}).handle(async (input) => {
  const { params, headers, context } = input;
  const body: ReportedFailure = input.body;
  const job = parseExecutionKey(params.executionKey);
  if (job === undefined) return notFound('the execution key names no job');
  const thrown = await throwJobError(context.store, {
    ...job,
    ...commandRequest(input),
    reason: body.reason,
    clientID: body.clientID,
    leaseToken: body.leaseToken,
    errorCode: body.errorCode,
    errorMessage: body.errorMessage,
    variables: body.variables,
    retryable: body.retryable,
    retryBackoffMilliseconds: body.retryBackoff,
    attemptsLeft: body.attemptsLeft,
    uncaught: body.uncaught,
  });
  if (thrown.kind === 'refused') return refusalProblem(thrown);
  measureEnd(context, thrown, 'failed');
  if (thrown.kind === 'requeued')
    return withNextJobs({ status: 200, body: { status: 'REQUEUED', retries: thrown.retries } }, input);
  const answer = await submitAndAwait(context, thrown, headers.waitMilliseconds);
  return isProblem(answer) ? answer : withNextJobs(answer, input);
});
