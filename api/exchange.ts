import type { TraceContext } from '../engine/trace-context.js';
import type { Caller } from './access/caller.js';
import type { Operation } from './operation.js';

/** What is known of one request while it is answered; the log line and the metrics are made from it. */
export interface Exchange {
  readonly requestID: string;
  readonly method: string;
  readonly clientAddress: string;
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  /** For what the request causes. */
  traceContext: TraceContext | undefined;
  operation: Operation | undefined;
  caller: Caller | undefined;
  params: Readonly<Record<string, string>> | undefined;
}
