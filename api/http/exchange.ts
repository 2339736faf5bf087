import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import type { Caller } from '../access/caller.js';
import type { Operation } from '../commands/operation.js';
import { networkOf } from './request/client-address.js';
import type { Route } from './routes.js';

/** The state of a request while it is handled; the source of its log line and metrics. */
export interface Exchange {
  readonly request: Request;
  /** Chosen by this host, so that no caller can give a request the id of another one. */
  readonly requestID: string;
  /** The caller's `X-Request-Id`. */
  readonly clientRequestID: string | undefined;
  /** How the caller reached the operation. */
  readonly via: 'REST' | 'MCP' | 'NEXUS' | 'HOOK';
  readonly method: string;
  /** The value of the `Authorization` header, or null. */
  readonly authorization: string | null;
  readonly clientAddress: string;
  /** Names and values of the headers in turn, as they came over the wire. */
  readonly rawHeaders: readonly string[];
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  /** The trace context for everything that the request causes. */
  traceContext: TraceContext | undefined;
  /** The operations of the path, or undefined. */
  route: Route | undefined;
  /** The query string, without its question mark. */
  search: string;
  operation: Operation | undefined;
  caller: Caller | undefined;
  /** The caller in all limits. */
  callerKey: string | undefined;
  /** To be called when the caller is known: until then, the request counts for its address. */
  readonly identified?: (() => void) | undefined;
  params: Readonly<Record<string, string>> | undefined;
  /** Until when the request may be repeated, if that can be long: the idempotency key is kept for 24 hours more. */
  readonly repeatedUntil?: Date | undefined;
}

/** The caller in all limits; without one, its network. */
export function limitKey({ callerKey, clientAddress }: Exchange): string {
  return callerKey ?? `address ${networkOf(clientAddress)}`;
}
