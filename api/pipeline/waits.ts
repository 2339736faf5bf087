/** Requests that wait for something to happen: long polls. Each takes one of the places of its caller. */
import type { Database } from '../../store/sql/database.js';
import type { OperationResult } from '../commands/operation.js';
import type { Waiting } from '../context.js';
import { isProblem, type Problem } from '../contract/problem.js';
import { tooMany } from '../http/refusals.js';
import type { ApiHost } from './api-host.js';
import type { Call } from './call.js';

const RETRY_AFTER_SECONDS = 1;

/**
 * Takes a place for a request that asks to wait. Without one, a poll is answered at once, and any other request gets 429
 * before it does anything. The few seconds that a command waits by itself take no place: the limit of requests in
 * progress bounds them. Streams have a separate limit.
 */
export function limitWaits(call: Call, { limits }: ApiHost): Problem | undefined {
  const { operation, headers, exchange, stream } = call;
  const { callerKey } = exchange;
  if (stream) call.longestWait = Infinity;
  if (stream || callerKey === undefined) return undefined;
  const { preferredWaitMilliseconds = 0, waitMilliseconds } = headers;
  const forEffect = operation.waits === 'outcome' ? waitMilliseconds : preferredWaitMilliseconds;
  const forJobs = operation.polls?.(call.body) ?? 0;
  const hasPlace = (preferredWaitMilliseconds === 0 && forJobs === 0) || takePlace(call, limits.waits, callerKey);
  if (!hasPlace && preferredWaitMilliseconds > 0) return tooMany('too many requests that wait', RETRY_AFTER_SECONDS);
  call.isShortened = !hasPlace;
  call.pollMilliseconds = hasPlace ? forJobs : 0;
  call.longestWait = Math.max(call.pollMilliseconds, forEffect);
  return undefined;
}

function takePlace(call: Call, waits: ApiHost['limits']['waits'], callerKey: string): boolean {
  if (!waits.enter(callerKey)) return false;
  call.waitPlace = waits;
  return true;
}

/** Asks the client of a shortened poll not to repeat it at once. */
export function withRetryAfter(result: OperationResult | Problem): OperationResult | Problem {
  if (isProblem(result)) return result;
  return { ...result, headers: { 'Retry-After': String(RETRY_AFTER_SECONDS), ...result.headers } };
}

type Parameters<Method extends keyof Waiting> = Waiting[Method] extends (...given: infer Given) => unknown
  ? Given
  : never;

/**
 * The waiting of one call: for no longer than its place was taken for, and until its client disconnects. An operation
 * that waits without declaring it fails.
 */
export class CountedWaiting implements Waiting {
  readonly #notifications: Waiting;
  readonly #call: Call;

  constructor(notifications: Waiting, call: Call) {
    this.#notifications = notifications;
    this.#call = call;
  }

  get isClosed(): boolean {
    return this.#notifications.isClosed || this.#call.signal.aborted;
  }

  async awaitOutcome(...[store, workflowID, number, milliseconds, isNew]: Parameters<'awaitOutcome'>) {
    this.#check(milliseconds);
    return this.#notifications.awaitOutcome(store, workflowID, number, milliseconds, isNew, this.#call.signal);
  }

  async awaitMatch<T>(channel: MatchedChannel, milliseconds: number, look: () => Promise<T | undefined>) {
    this.#check(milliseconds);
    return this.#notifications.awaitMatch(channel, milliseconds, look, this.#call.signal);
  }

  async awaitResult(store: Database, ...rest: DropFirst<Parameters<'awaitResult'>>) {
    this.#check(rest[1]);
    return this.#notifications.awaitResult(store, ...rest);
  }

  async pollJobs(store: Database, ...rest: DropFirst<Parameters<'pollJobs'>>) {
    this.#check(rest[1]);
    return this.#notifications.pollJobs(store, ...rest);
  }

  async readEvents(store: Database, ...rest: DropFirst<Parameters<'readEvents'>>) {
    this.#check(rest[1]);
    return this.#notifications.readEvents(store, ...rest);
  }

  #check(milliseconds: number): void {
    const { longestWait, operation } = this.#call;
    if (milliseconds > longestWait)
      throw new Error(
        `${operation.operationID} waits for ${milliseconds} ms, but its declaration allows ${longestWait} ms. Declare \`waits\` or \`polls\`.`,
      );
  }
}

type MatchedChannel = Parameters<'awaitMatch'>[0];

type DropFirst<Given extends readonly unknown[]> = Given extends [unknown, ...infer Rest] ? Rest : never;
