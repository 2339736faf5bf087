/** Configuration, limits, and routes: shared by the steps of all requests. */
import type { Operation, OperationCall } from '../commands/operation.js';
import type { ApiConfiguration } from '../configuration.js';
import type { ApiContext } from '../context.js';
import type { LimitedKind } from '../contract/lines.js';
import type { Exchange } from '../http/exchange.js';
import {
  createSimultaneousLimit,
  createTokenBuckets,
  type SimultaneousLimit,
  type TokenBuckets,
} from '../http/rate-limits.js';
import type { Routes } from '../http/routes.js';
import type { Response } from './steps.js';

export interface ApiHost {
  readonly context: ApiContext;
  readonly configuration: ApiConfiguration;
  readonly operations: readonly Operation[];
  readonly routes: Routes;
  readonly limits: RequestLimits;
  /** Calls another operation in the name of the caller of the exchange. */
  call(exchange: Exchange, operation: Operation, call: OperationCall): Promise<Response>;
}

/** All limits are per caller. */
export interface RequestLimits {
  /** Without a valid token, requests count against the address. */
  readonly requests: TokenBuckets;
  readonly bodies: TokenBuckets;
  readonly inProgress: SimultaneousLimit;
  readonly waits: SimultaneousLimit;
  readonly work: Readonly<Record<LimitedKind, WorkLimit>>;
}

interface WorkLimit {
  readonly simultaneous: SimultaneousLimit;
  /** The detail of 429. */
  readonly excess: string;
}

/** Concurrent evaluations of expressions per caller. */
const MAX_EXPRESSIONS = 4;
/** Concurrent comparisons of runs per caller. */
const MAX_COMPARISONS = 4;
/** Concurrent event streams per caller. */
const MAX_EVENT_STREAMS = 4;

export function createRequestLimits(configuration: ApiConfiguration): RequestLimits {
  const now = () => performance.now();
  const limit = (most: number, work: string): WorkLimit => ({
    simultaneous: createSimultaneousLimit(most),
    excess: `too many concurrent ${work}`,
  });
  return {
    requests: createTokenBuckets(configuration.requestRate, now),
    bodies: createTokenBuckets(configuration.bodyRate, now),
    inProgress: createSimultaneousLimit(configuration.simultaneousRequests),
    waits: createSimultaneousLimit(configuration.waitsPerCaller),
    work: {
      search: limit(configuration.simultaneousSearches, 'searches'),
      evaluation: limit(configuration.simultaneousEvaluations, 'evaluations of decisions'),
      expression: limit(MAX_EXPRESSIONS, 'evaluations of expressions'),
      comparison: limit(MAX_COMPARISONS, 'comparisons of runs'),
      stream: limit(MAX_EVENT_STREAMS, 'event streams'),
    },
  };
}
