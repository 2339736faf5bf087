/** Turns an exception of a handler into a response: 503 when a dependency of the host is unavailable, 500 for a bug. */
import { TurnCanceled, TurnRefused } from '@perdure/lib/fair-turns.js';
import { ProviderFailure } from '../membership/call-provider.js';
import { problem, unavailable } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';
import type { ApiContext } from '../context.js';
import { loggableError } from '../../telemetry/logger.js';
import type { Exchange } from './exchange.js';
import { tooMany } from './refusals.js';

const retryAfterSeconds = 2;

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/**
 * SQLSTATEs after which the same request can succeed: connection exceptions (class 08), transaction rollback (40),
 * insufficient resources (53), operator intervention such as a shutdown or a statement timeout (57), and a lock timeout
 * (55P03).
 */
const transientSqlState = /^(?:(?:08|40|53|57)[0-9A-Z]{3}|55P03)$/;

/** gRPC status codes of Temporal's client: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE. */
const transientGrpcCodes = new Set([4, 8, 14]);

/** pg identifies these only by their message. */
const poolMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the error means that Postgres, Temporal, an identity provider, or the network is temporarily unavailable. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ProviderFailure) return true;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'number' && transientGrpcCodes.has(code)) return true;
  if (typeof code === 'string' && (transientSqlState.test(code) || isNetworkFailure(error, code))) return true;
  if (poolMessages.test(error.message)) return true;
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  return isTransient(error.cause);
}

/** A missing socket path is a network failure; a missing file is a bug. */
function isNetworkFailure(error: Error, code: string): boolean {
  return networkCodes.has(code) && (code !== 'ENOENT' || ('syscall' in error && error.syscall === 'connect'));
}

/** The response to an exception. Its text stays in the log: it can contain SQL, paths, or data. */
export function problemFromException(error: unknown): Problem {
  if (isTransient(error)) return unavailable('a dependency does not respond', retryAfterSeconds);
  return problem('INTERNAL_ERROR', 'Internal error. The log of the host has the cause under this request id.', {
    reason: 'unexpected exception',
  });
}

/** The answer of the work, whose exception is logged and becomes a problem. */
export async function answered<Answer>(
  { logger }: Pick<ApiContext, 'logger'>,
  { requestID }: Pick<Exchange, 'requestID'>,
  work: () => Promise<Answer>,
): Promise<Answer | Problem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TurnRefused) return tooMany(error.message, error.retryAfterSeconds);
    // The client is gone, or has its answer.
    if (error instanceof TurnCanceled) return unavailable('the request has ended', retryAfterSeconds);
    logger.error({ event: 'exception', requestID, error: loggableError(error) }, 'request failed');
    return problemFromException(error);
  }
}

/** Resolves with the result of the work, or with 503 when the work exceeds the deadline of the operation. */
export async function withDeadline<Value>(work: Promise<Value>, seconds: number): Promise<Value | Problem> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Problem>((resolve) => {
    timer = setTimeout(() => resolve(unavailable(`no result within ${seconds} s`, retryAfterSeconds)), seconds * 1000);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
