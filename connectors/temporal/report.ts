/** Reports the end of an execution to its job. */
import { ApplicationFailure } from '@temporalio/common';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { CONNECTORS } from '../../store/audit/machine-actors.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import { isPermanent, refusalReason } from '../../store/sql/permanence.js';
import {
  forgetExecution,
  jobOfExecution,
  type JobKey,
  type JobOfExecution,
} from '../../store/work/executions/executions.js';
import { completeJob, MAX_ERROR_MESSAGE_LENGTH, throwJobError } from '../../store/work/job-ends.js';
import { readExpressions, resultOf, storableVariables, throwModeledError, type Seen } from '../results/expressions.js';
import { TaskError } from '../results/task-error.js';
import type { End } from '../work.js';
import { unreadableReason } from './foreign-codec.js';
import { largeResult } from './large-result.js';
import type { TemporalTasksContext } from './options.js';
import type { Outcome, TaskFailure } from './runner/messages.js';

/**
 * Reports it, whatever connector started it. Nothing happens if the job has ended.
 * @throws when Postgres does not respond, or the lease has expired: connectors take it again, so a repetition succeeds
 */
export async function reportOutcome(
  context: TemporalTasksContext,
  executionKey: string,
  outcome: Outcome,
): Promise<void> {
  const key = parseExecutionKey(executionKey)!;
  const job = await jobOfExecution(context.store, key);
  if (!job || job.hasEnded) return forgetExecution(context.store, key);
  await reportEnd(context, key, job, await endOf(context, key, job, outcome));
}

type Holder = Pick<JobOfExecution, 'projectID' | 'clientID' | 'leaseToken'> &
  Partial<Pick<JobOfExecution, 'traceContext'>>;

/** @throws as `reportOutcome` */
export async function reportEnd(context: TemporalTasksContext, key: JobKey, holder: Holder, end: End): Promise<void> {
  try {
    await submit(context, key, holder, end);
  } catch (error) {
    if (!isPermanent(error) || end.kind === 'failed') throw error;
    const reason = `The database cannot store the result: ${refusalReason(error)}`;
    await submit(context, key, holder, { kind: 'failed', error: new TaskError('RESULT_UNSTORABLE', reason) });
  }
  await forgetExecution(context.store, key);
}

async function submit({ store, deliver }: TemporalTasksContext, key: JobKey, holder: Holder, end: End): Promise<void> {
  const { projectID, clientID, leaseToken, traceContext } = holder;
  const held = { ...key, projectID, clientID, leaseToken, actor: CONNECTORS, awaited: false };
  const request = { ...held, traceContext: traceContext ?? undefined };
  const ended =
    end.kind === 'completed'
      ? await completeJob(store, { ...request, variables: end.variables })
      : await throwJobError(store, {
          ...request,
          errorCode: end.error.code,
          errorMessage: end.error.message.replaceAll('\u0000', '\uFFFD').slice(0, MAX_ERROR_MESSAGE_LENGTH),
          variables: end.error.options.variables,
          retryable: false,
        });
  if (ended.kind === 'submitted') await deliver(key.workflowID, ended.command, ended.delivery);
  if (ended.kind === 'refused' && (ended.code === 'LEASE_LOST' || ended.code === 'SUSPENDED'))
    throw ApplicationFailure.retryable(ended.message, ended.code);
}

async function endOf(
  context: TemporalTasksContext,
  key: JobKey,
  { headers, variables }: JobOfExecution,
  outcome: Outcome,
): Promise<End> {
  try {
    const expressions = readExpressions(headers, 'TEMPORAL');
    const seen = await seenOf(context, key, outcome);
    throwModeledError(expressions, variables, seen);
    if (seen.error) return { kind: 'failed', error: new TaskError(seen.error.code, seen.error.message) };
    const { resultVariable, result } = expressions;
    const merged = resultVariable === undefined && result === undefined && isObject(seen.response);
    const set = merged ? (seen.response as Variables) : resultOf(expressions, variables, seen);
    return { kind: 'completed', variables: storableVariables(set, 'TEMPORAL_RESULT_INVALID') };
  } catch (error) {
    if (error instanceof TaskError) return { kind: 'failed', error };
    throw error;
  }
}

async function seenOf(context: TemporalTasksContext, key: JobKey, outcome: Outcome): Promise<Seen> {
  if (outcome.kind === 'failed') return { response: null, error: outcome.failure };
  const response = outcome.kind === 'completed' ? outcome.result : await largeResult(context, key);
  const reason = unreadable(response);
  return reason === undefined ? { response, error: null } : { response: null, error: reason };
}

function unreadable(response: Json): TaskFailure | undefined {
  const reason = unreadableReason(response);
  if (reason === undefined) return undefined;
  return {
    code: 'TEMPORAL_RESULT_INVALID',
    message: `The result cannot be read as JSON: ${reason}. If its worker encrypts, set TEMPORAL_TASKS_CODEC.`,
  };
}

function isObject(json: Json): json is { [name: string]: Json } {
  return json !== null && typeof json === 'object' && !Array.isArray(json);
}
