import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import type { Caller } from '../access/caller.js';
import type { Operation } from '../commands/operation.js';

/** The state of a request while it is handled; the source of its log line and metrics. */
export interface Exchange {
  readonly requestID: string;
  /** How the caller reached the operation. */
  readonly via: 'REST' | 'MCP';
  readonly method: string;
  readonly clientAddress: string;
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  /** The trace context for everything that the request causes. */
  traceContext: TraceContext | undefined;
  operation: Operation | undefined;
  caller: Caller | undefined;
  /** To be called when the caller is known: until then, the request counts for its address. */
  readonly identified?: (() => void) | undefined;
  params: Readonly<Record<string, string>> | undefined;
}
