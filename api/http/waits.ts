/** Requests that wait for something to happen: long polls. Each takes one of the places of its caller. */
import type { Pool } from 'pg';
import type { Waiting } from '../context.js';
import type { Operation, RequestHeaders } from '../commands/operation.js';
import { isProblem } from '../contract/problem.js';
import type { OperationResult } from '../commands/operation.js';
import type { Problem } from '../contract/problem.js';
import type { SimultaneousLimit } from './rate-limits.js';
import { tooMany } from './refusals.js';

const RETRY_AFTER_SECONDS = 1;

/** How long a request waits, in milliseconds. */
interface Budget {
  readonly headers: RequestHeaders;
  readonly pollMilliseconds: number;
}

export interface Admitted extends Budget {
  readonly kind: 'admitted';
  /** The longest wait of the request, in milliseconds. */
  readonly longest: number;
  /** Whether the request would have waited, but its caller has no place left. */
  readonly isShortened: boolean;
  /** Gives the place back. */
  leave(): void;
}

/**
 * Takes a place for a request that asks to wait. Without one, a poll is answered at once, and any other request is
 * refused before it does anything. The few seconds that a command waits by itself take no place: the limit of requests
 * in progress bounds them.
 */
export function admitWait(
  { waits, polls }: Operation,
  headers: RequestHeaders,
  body: unknown,
  { simultaneous, key }: { readonly simultaneous: SimultaneousLimit; readonly key: string },
): Admitted | Problem {
  const { preferredWaitMilliseconds = 0, waitMilliseconds } = headers;
  const pollMilliseconds = polls?.(body) ?? 0;
  const waitsForEffect = waits === 'outcome' ? waitMilliseconds : preferredWaitMilliseconds;
  const longest = Math.max(pollMilliseconds, waitsForEffect);
  const given = { kind: 'admitted', longest, headers, pollMilliseconds, isShortened: false } as const;
  if (preferredWaitMilliseconds === 0 && pollMilliseconds === 0) return { ...given, leave: () => undefined };
  if (simultaneous.enter(key)) return { ...given, leave: () => simultaneous.leave(key) };
  if (preferredWaitMilliseconds > 0) return tooMany('too many requests that wait', RETRY_AFTER_SECONDS);
  return { ...given, longest: waitsForEffect, pollMilliseconds: 0, isShortened: true, leave: () => undefined };
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
 * The waiting of one request: for no longer than what its place was taken for, and until its client disconnects. An
 * operation that waits without declaring it fails.
 */
export class CountedWaiting implements Waiting {
  readonly #notifications: Waiting;
  readonly #operationID: string;
  readonly #longest: number;
  readonly #signal: () => AbortSignal;

  /** @param longest milliseconds */
  constructor(notifications: Waiting, operationID: string, longest: number, signal: () => AbortSignal) {
    this.#notifications = notifications;
    this.#operationID = operationID;
    this.#longest = longest;
    this.#signal = signal;
  }

  get isClosed(): boolean {
    return this.#notifications.isClosed || this.#signal().aborted;
  }

  async awaitOutcome(...[store, workflowID, number, milliseconds, isNew]: Parameters<'awaitOutcome'>) {
    this.#check(milliseconds);
    return this.#notifications.awaitOutcome(store, workflowID, number, milliseconds, isNew, this.#signal());
  }

  async awaitResult(store: Pool, ...rest: DropFirst<Parameters<'awaitResult'>>) {
    this.#check(rest[1]);
    return this.#notifications.awaitResult(store, ...rest);
  }

  async pollJobs(store: Pool, ...rest: DropFirst<Parameters<'pollJobs'>>) {
    this.#check(rest[1]);
    return this.#notifications.pollJobs(store, ...rest);
  }

  async readEvents(store: Pool, ...rest: DropFirst<Parameters<'readEvents'>>) {
    this.#check(rest[1]);
    return this.#notifications.readEvents(store, ...rest);
  }

  #check(milliseconds: number): void {
    if (milliseconds > this.#longest)
      throw new Error(
        `${this.#operationID} waits for ${milliseconds} ms, but its declaration allows ${this.#longest} ms. Declare \`waits\` or \`polls\`.`,
      );
  }
}

type DropFirst<Given extends readonly unknown[]> = Given extends [unknown, ...infer Rest] ? Rest : never;
