import { unavailable } from '../contract/problem.js';
import type { Caller } from '../access/caller.js';
import { limitKey, type Exchange } from '../http/exchange.js';
import { tooMany, unauthorized } from '../http/refusals.js';
import type { ApiHost } from './api-host.js';

const noToken = { kind: 'refused', reason: 'no Authorization header', description: undefined } as const;

/** 401 without a valid token; 429 above the rate of the caller, or of the address without a valid token. */
export async function authenticate(exchange: Exchange, { context, limits }: ApiHost) {
  if (exchange.operation?.role === 'public') return takeRequest(exchange, limits);
  const { authorization } = exchange;
  const found = authorization === null ? noToken : await context.authenticator.authenticate(authorization);
  if (found.kind === 'accepted') {
    exchange.caller = found.caller;
    exchange.callerKey = keyOf(found.caller);
    exchange.identified?.();
    return takeRequest(exchange, limits);
  }
  const limited = takeRequest(exchange, limits);
  if (limited !== undefined) return limited;
  if (found.kind === 'unavailable') return unavailable(found.reason, found.retryAfterSeconds);
  return unauthorized(found.reason, found.description);
}

/** 429 above the rate of the caller. */
export function takeRequest(exchange: Exchange, { requests }: ApiHost['limits']) {
  const seconds = requests.take(limitKey(exchange));
  return seconds === undefined ? undefined : tooMany('too many requests per second', seconds);
}

/** The caller in all limits. */
export function keyOf({ issuer, subject }: Caller): string {
  return `caller ${issuer} ${subject}`;
}
