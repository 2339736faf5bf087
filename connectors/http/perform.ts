/** One attempt of an HTTP task, from its job to the variables that it sets. */
import type { Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import type { Mapping } from '@perdure/engine/model/graph.js';
import { OutboundError } from '../../outbound/egress/outbound-error.js';
import type { Job } from '../../store/work/jobs.js';
import { templateOf } from '../inputs/placeholders.js';
import {
  readBackoff,
  readExpressions,
  resultOf,
  storableVariables,
  throwModeledError,
  type Expressions,
} from '../results/expressions.js';
import { TaskError } from '../results/task-error.js';
import { failureOf, readAnswer } from './answer.js';
import { readCall, readTimeouts } from './call.js';
import { sendCall, type SendOptions } from './send-call.js';

export interface HttpTask {
  readonly projectID: string;
  readonly job: Pick<Job, 'executionKey' | 'headers' | 'variables'>;
  /** The input mappings of its node in the deployed model. */
  readonly mappings: readonly Mapping[];
  readonly traceContext: TraceContext | undefined;
}

/** The inputs that can name secrets. */
const SENT = ['url', 'headers', 'queryParameters', 'body', 'authentication'];

/**
 * @returns the variables that the task sets
 * @throws TaskError; the reason of the signal if it is aborted
 */
export async function performHttpTask(task: HttpTask, options: SendOptions): Promise<Variables> {
  readBackoff(task.job.headers);
  const expressions = readExpressions(task.job.headers, 'HTTP');
  try {
    const { answer, host, mask } = await callService(task, options);
    const response = readAnswer(answer, mask);
    const failure = failureOf(answer, host);
    const seen = { response, error: failure ? { code: failure.code, message: failure.message } : null };
    throwModeledError(expressions, task.job.variables, seen);
    if (failure) throw failure;
    return storableVariables(resultOf(expressions, task.job.variables, seen), 'HTTP_ANSWER_INVALID');
  } catch (error) {
    if (error instanceof OutboundError) throw ofConnection(error, expressions, task.job.variables);
    throw error;
  }
}

async function callService({ projectID, job, mappings, traceContext }: HttpTask, options: SendOptions) {
  const { inputs, placeholders } = templateOf(SENT, mappings, job.variables, Date.now());
  const timeouts = readTimeouts(inputs);
  const call = readCall(inputs);
  const own = {
    ...(call.method !== 'GET' && { 'idempotency-key': job.executionKey }),
    ...traceContext,
  };
  return sendCall({ projectID, call, placeholders, own, timeouts }, options);
}

/** Without a response, the error expression of the model can still decide the outcome. */
function ofConnection({ code, message }: OutboundError, expressions: Expressions, variables: Variables): TaskError {
  try {
    throwModeledError(expressions, variables, { response: null, error: { code, message } });
  } catch (modeled) {
    // An expression that fails because there is no response does not decide the outcome.
    if (modeled instanceof TaskError && modeled.code !== 'HTTP_EXPRESSION_FAILED') return modeled;
  }
  return new TaskError(code, message, { retryable: code === 'HTTP_TIMEOUT' || code === 'HTTP_CONNECTION' });
}
