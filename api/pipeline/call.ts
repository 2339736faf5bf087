import type { Logger } from 'pino';
import type { Turns } from '@perdure/lib/fair-turns.js';
import type { AuditDraft } from '../../store/audit/entries.js';
import type { Database } from '../../store/sql/database.js';
import type { HandlerInput, Operation, OperationCall, Pipeline, RequestHeaders } from '../commands/operation.js';
import type { ApiContext } from '../context.js';
import type { Exchange } from '../http/exchange.js';
import type { SimultaneousLimit } from '../http/rate-limits.js';
import { streamOf } from '../http/response/lines.js';
import type { ApiHost } from './api-host.js';
import type { Response } from './steps.js';

type Input = HandlerInput<unknown, unknown, unknown, unknown>;

/**
 * One call of an operation: the state of its steps, and the input of its handler. Members that few handlers need are
 * built on demand: the server builds a whole `Request` for the signal, for example.
 */
export class Call implements Input {
  /** The stream of the operation, if the request accepts it. */
  readonly stream: Operation['lines'];
  readonly caller: Exchange['caller'];
  readonly traceContext: Exchange['traceContext'];
  params: Readonly<Record<string, string>> = {};
  query: unknown;
  body: unknown;
  headers!: RequestHeaders;
  /** The connections of the caller. */
  readonly store: Database;
  context!: ApiContext;
  audit: AuditDraft | undefined;
  pollMilliseconds = 0;
  /** In milliseconds. */
  longestWait = 0;
  /** Whether the call would have waited, but its caller has no place left. */
  isShortened = false;
  /** Places of the caller that are given back when the work ends. */
  workPlace: SimultaneousLimit | undefined;
  waitPlace: SimultaneousLimit | undefined;
  /** Whether the work has begun, whose end gives the places back. */
  isWorking = false;
  response: Response | undefined;
  #ended: AbortController | undefined;

  constructor(
    readonly host: ApiHost,
    readonly exchange: Exchange,
    readonly operation: Operation,
    readonly request: Request,
    readonly rawParameters: readonly string[],
    readonly search: string,
  ) {
    this.stream = streamOf(operation, request);
    const { callerKey } = exchange;
    this.caller = exchange.caller;
    this.traceContext = exchange.traceContext;
    this.store = callerKey === undefined ? host.context.store : host.context.storeOf(callerKey);
  }

  get log(): Logger {
    const { exchange, operation, host } = this;
    return host.context.logger.child({ requestID: exchange.requestID, operationID: operation.operationID });
  }

  /** Whether it changes nothing: it has no audit entry, and no idempotency key. */
  get isDryRun(): boolean {
    return (this.body as { dryRun?: boolean } | undefined)?.dryRun === true;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  get turns(): Turns {
    return {
      take: async (kind, bytes) => {
        const { callerKey, params } = this.exchange;
        if (callerKey === undefined) throw new Error('Work in threads needs a caller');
        // Created on demand: aborting a controller costs more than most of a small request.
        this.#ended ??= new AbortController();
        const signal = AbortSignal.any([this.request.signal, this.#ended.signal]);
        const owner = { caller: callerKey, project: params?.['projectID'], signal };
        return this.host.context.turns.of(owner).take(kind, bytes);
      },
    };
  }

  get pipeline(): Pipeline {
    const { host, exchange } = this;
    return {
      operations: host.operations,
      requestID: exchange.requestID,
      call: (operation: Operation, call: OperationCall) => host.call(exchange, operation, call),
    };
  }

  /** No caller waits for the response anymore, so its work in threads ends. */
  endTurns(): void {
    this.#ended?.abort();
  }

  /** Gives the places of the work back. */
  leave(): void {
    const key = this.exchange.callerKey;
    if (key === undefined) return;
    this.workPlace?.leave(key);
    this.waitPlace?.leave(key);
    this.workPlace = this.waitPlace = undefined;
  }
}
