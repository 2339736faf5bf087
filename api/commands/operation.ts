/** An operation with its handler, and the input that the request pipeline gives the handler. */
import type { Logger } from 'pino';
import type { Turns } from '@perdure/lib/fair-turns.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import type { AuditDraft } from '../../store/audit/entries.js';
import type { CachedResponse, KeyedRequest } from '../../store/projects/idempotency.js';
import type { ApiContext } from '../context.js';
import type { Lines } from '../contract/lines.js';
import type { DeclaredOperation } from '../contract/operation.js';
import type { Problem } from '../contract/problem.js';
import type { Checked } from '../http/request/check.js';
import type { JsonBodyLimits } from '../http/request/read-json.js';
import type { StaticDocument } from '../http/response/static-document.js';

/** The parsed headers that operations have access to. */
export interface RequestHeaders {
  /** How long a command can wait for its effect: `Prefer: wait=N` (default 5 seconds). */
  readonly waitMilliseconds: number;
  /** The wait in `Prefer`; undefined without it. */
  readonly preferredWaitMilliseconds: number | undefined;
  /** Present when the operation accepts the header and the caller sent it. */
  readonly idempotency: KeyedRequest | undefined;
  /** The texts of the entity tags in `If-Match`, one of which must be the current one; undefined if any is allowed. */
  readonly ifMatch: readonly string[] | undefined;
  /** Where a reader of a stream continues; null if not sent. */
  readonly lastEventID: string | null;
  /** Headers of the Model Context Protocol; null if not sent. */
  readonly mcp: { readonly version: string | null; readonly method: string | null; readonly name: string | null };
  /** The origin of the page that calls; null if not sent. */
  readonly origin: string | null;
}

/** The other operations of the host, for an operation that calls them in the name of its caller. */
export interface Pipeline {
  readonly operations: readonly Operation[];
  readonly requestID: string;
  /** Does all that happens to a separate request after authentication: rights, limits, validation, audit, log. */
  call(operation: Operation, call: OperationCall): Promise<OperationResult | Problem>;
}

export interface OperationCall {
  /** The path parameters in order, percent-encoded. */
  readonly rawParameters: readonly string[];
  /** The query string, without its question mark. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The input of a handler. Every member is validated; `params.projectID` is the canonical id of the project. */
export interface HandlerInput<Params, Query, Body, Who> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Who;
  readonly headers: RequestHeaders;
  /** The trace context for everything that the request causes. */
  readonly traceContext: TraceContext | undefined;
  readonly context: ApiContext;
  /** The audit entry, which operations with `records: 'within'` write with their change. Absent for dry runs. */
  readonly audit: AuditDraft | undefined;
  /** Carries the request id. Never log a token, a query string, or the value of a variable. */
  readonly log: Logger;
  /** Aborted when the client disconnects; ends long polls. */
  readonly signal: AbortSignal;
  /** The turns of the caller at threads. What waits or runs ends with the request. */
  readonly turns: Turns;
  /** How long to wait for jobs: what `polls` says, or 0 if the caller has too many waiting requests. */
  readonly pollMilliseconds: number;
  readonly pipeline: Pipeline;
}

/** A response as the request pipeline sees it. */
export interface OperationResult {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ids and facts for the audit entry that neither the path nor the body has: created or touched objects. */
  readonly audit?: Partial<AuditDraft> | undefined;
  /** Sent instead of `body`, whose serialization it is. */
  readonly document?: StaticDocument;
  /** Instead of `body`: a list that is sent while it is read. */
  readonly lines?: Lines;
}

/** Reads all rows of a list, or finds that there is no such list. */
export type ReadLines = (
  input: HandlerInput<unknown, unknown, unknown, unknown>,
) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown> | Problem>;

/**
 * Reads the bytes of a body in a thread, checks them against the schema, and returns what the handler needs of them.
 * @throws TurnRefused, TurnCanceled
 */
export type ReadBody = (bytes: Uint8Array<ArrayBuffer>, turns: Turns) => Promise<BodyRead>;

export interface BodyRead {
  readonly read: Checked<unknown>;
  /** JSON values of the body, if it could be read. */
  readonly values: number;
  /** The part that the event loop had to read. */
  readonly bytesOnLoop: number;
}

/** Makes the body for the handler of one that another protocol has. `given` follows `request.body`. */
export type TranslateBody = (
  given: unknown,
  params: Readonly<Record<string, string>>,
  reading: JsonBodyLimits,
) => Promise<Checked<unknown>>;

/** An operation after type checking: the input of routes, documentation, and tests. */
export interface Operation extends DeclaredOperation {
  /** Of an operation whose requests come in the form of another protocol. */
  readonly translateBody?: TranslateBody;
  /** Instead of reading it on the event loop. */
  readonly readBody: ReadBody | undefined;
  /** All rows of a list, for requests that accept a stream. */
  readonly lines: (NonNullable<DeclaredOperation['lines']> & { read: ReadLines }) | undefined;
  handle(input: HandlerInput<unknown, unknown, unknown, unknown>): Promise<OperationResult | Problem>;
  /** The response to a repeat under an `Idempotency-Key`, if it is not the first one. */
  readonly answerAgain:
    | ((input: HandlerInput<unknown, unknown, unknown, unknown>, first: CachedResponse) => Promise<OperationResult>)
    | undefined;
}
