/** From what a handler threw to the answer: 503 when a part the host stands on is away, 500 for our own mistakes. */
import { ProviderFailure } from '../membership/call-provider.js';
import { problem, unavailable } from '../problem.js';
import type { Problem } from '../problem.js';

const retryAfterSeconds = 2;

const networkCodes = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT',
]);

/**
 * SQLSTATEs after which the same request may succeed: connection exceptions (class 08), transaction rollback (40),
 * insufficient resources (53), operator intervention such as a shutdown or a statement timeout (57), a lock timeout (55P03).
 */
const transientSqlState = /^(?:(?:08|40|53|57)[0-9A-Z]{3}|55P03)$/;

/** gRPC status codes of Temporal's client: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE. */
const transientGrpcCodes = new Set([4, 8, 14]);

/** pg tells these by their message alone. */
const poolMessages = /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the error says that Postgres, Temporal, an identity provider or the network is away for now. */
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

/** A socket path that is not there is a network failure; a file that is not there is a mistake of ours. */
function isNetworkFailure(error: Error, code: string): boolean {
  return networkCodes.has(code) && (code !== 'ENOENT' || ('syscall' in error && error.syscall === 'connect'));
}

/** The answer to an exception. Its text stays in the log: it may hold SQL, paths or data. */
export function problemFromException(error: unknown): Problem {
  if (isTransient(error)) return unavailable('a dependency does not answer', retryAfterSeconds);
  return problem('INTERNAL_ERROR', 'The host failed to answer. The log tells the cause under this request id.', {
    reason: 'unexpected exception',
  });
}

/** Resolves as the work does, or with 503 when it takes longer than the operation may. */
export async function withDeadline<Value>(work: Promise<Value>, seconds: number): Promise<Value | Problem> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Problem>((resolve) => {
    timer = setTimeout(() => resolve(unavailable(`no answer within ${seconds} s`, retryAfterSeconds)), seconds * 1000);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
