/**
 * The order of checks, from the request to the handler:
 *
 *
 *     401 token -> 405 method -> 404 missing right -> 415, 413, 400 -> handler: 404 missing object, 409, success
 *
 * 429 and 503 can occur at any point. Routes are public knowledge, so 405 reveals nothing. Rights are decided before
 * any database read, so neither the response nor its timing reveals whether something exists.
 */
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Turns } from '@perdure/lib/fair-turns.js';
import type { AuditDraft } from '../../store/audit/entries.js';
import { findProject } from '../../store/projects/projects.js';
import { ConnectionTurns } from '../../store/turns/connection-turns.js';
import type { Caller } from '../access/caller.js';
import { canonicalProjectID } from '../access/settings/project-aliases.js';
import { auditDraft } from '../audit/draft.js';
import { handleRecorded } from '../audit/recording.js';
import { BYTES_OF_VALUE, type ApiConfiguration } from '../configuration.js';
import type { ApiContext } from '../context.js';
import { networkOf } from './request/client-address.js';
import { answered, withDeadline } from './failures.js';
import { readHeaders } from './headers-of-operations.js';
import { readJsonBody, readPathParameters, readQuery, type JsonBodyLimits } from './request/input.js';
import { openLines, streamOf } from './response/lines.js';
import { logRequest } from './log-request.js';
import { createSimultaneousLimit, createTokenBuckets } from './rate-limits.js';
import type { SimultaneousLimit } from './rate-limits.js';
import { methodNotAllowed, tooMany, unauthorized } from './refusals.js';
import { createRoutes } from './routes.js';
import type { Exchange } from './exchange.js';
import type { LinesFormat } from '../contract/lines.js';
import type { LimitedKind } from '../contract/limited-kind.js';
import type { Method } from '../contract/operation.js';
import type { Operation, OperationCall, OperationResult, Pipeline, RequestHeaders } from '../commands/operation.js';
import { isProblem, notFound, unavailable } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';
import { includesRole } from '../contract/roles.js';
import { withTestProject } from './test-project.js';
import { verifyResponse } from './response/verify-response.js';
import { admitWait, CountedWaiting, withRetryAfter, type Admitted } from './waits.js';

/** How long the first row of a stream can take. */
const LINES_DEADLINE_SECONDS = 30;

/** Of one caller. */
const MAX_EVENT_STREAMS = 4;

export type RequestHandler = (request: Request, exchange: Exchange) => Promise<OperationResult | Problem>;

/** Builds the function that handles requests. It fills in the exchange as it learns about the request. */
export function createRequestHandler(
  context: ApiContext,
  configuration: ApiConfiguration,
  operations: readonly Operation[],
): RequestHandler {
  const routes = createRoutes(operations);
  const turns = new ConnectionTurns(context.store);
  const requests = createTokenBuckets(configuration.requestRate, () => performance.now());
  const bodies = createTokenBuckets(configuration.bodyRate, () => performance.now());
  const limits: Readonly<Record<LimitedKind, { readonly simultaneous: SimultaneousLimit; readonly excess: string }>> = {
    search: {
      simultaneous: createSimultaneousLimit(configuration.simultaneousSearches),
      excess: 'too many concurrent searches',
    },
    evaluation: {
      simultaneous: createSimultaneousLimit(configuration.simultaneousEvaluations),
      excess: 'too many concurrent evaluations of decisions',
    },
    stream: {
      simultaneous: createSimultaneousLimit(MAX_EVENT_STREAMS),
      excess: 'too many concurrent event streams',
    },
  };

  const waiting = createSimultaneousLimit(configuration.waitsPerCaller);
  const inProgress = createSimultaneousLimit(configuration.simultaneousRequests);

  /** Takes one request from the caller's rate limit, or returns 429. */
  function takeRequest(key: string): Problem | undefined {
    const seconds = requests.take(key);
    return seconds === undefined ? undefined : tooMany('too many requests per second', seconds);
  }

  async function authenticate(request: Request, exchange: Exchange): Promise<Caller | Problem> {
    const authorization = request.headers.get('authorization');
    const authentication =
      authorization === null
        ? ({ kind: 'refused', reason: 'no Authorization header', description: undefined } as const)
        : await context.authenticator.authenticate(authorization);
    if (authentication.kind === 'accepted') {
      exchange.caller = authentication.caller;
      exchange.identified?.();
      return takeRequest(callerKey(authentication.caller)) ?? authentication.caller;
    }
    const limited = takeRequest(addressKey(exchange));
    if (limited !== undefined) return limited;
    if (authentication.kind === 'unavailable')
      return unavailable(authentication.reason, authentication.retryAfterSeconds);
    return unauthorized(authentication.reason, authentication.description);
  }

  return async function handleRequest(request, exchange) {
    const { path, search } = splitTarget(request.url);
    const route = routes.find(path);
    const operation = route?.operations.get(methodOf(request));
    exchange.operation = operation;

    if (operation?.role === 'public') {
      const limited = takeRequest(addressKey(exchange));
      if (limited !== undefined) return limited;
    } else {
      const who = await authenticate(request, exchange);
      if (isProblem(who)) return who;
    }
    if (route === undefined) return notFound('no operation has this path');
    if (operation === undefined) return methodNotAllowed(route);

    const { caller } = exchange;
    if (caller === undefined) return perform(request, exchange, operation, route.rawParameters, search);
    const key = callerKey(caller);
    if (!inProgress.enter(key)) return tooMany('too many concurrent requests', 1);
    try {
      return await perform(request, exchange, operation, route.rawParameters, search);
    } finally {
      inProgress.leave(key);
    }
  };

  /** Everything after the authentication of the caller. */
  async function perform(
    request: Request,
    exchange: Exchange,
    operation: Operation,
    rawParameters: readonly string[],
    search: string,
  ): Promise<OperationResult | Problem> {
    const { caller } = exchange;
    const params = canonicalParameters(operation, rawParameters, context.authenticator.projectAliases);
    if (params === undefined) return notFound('a path parameter is not an id');
    exchange.params = params;
    const lacking = lackingRight(operation, caller, params);
    if (lacking !== undefined) return notFound(lacking);

    const countsAs = streamOf(operation, request)?.format.countsAs ?? operation.countsAs;
    if (countsAs === undefined || caller === undefined) return handle(request, exchange, operation, search);
    const key = callerKey(caller);
    const { simultaneous, excess } = limits[countsAs];
    if (!simultaneous.enter(key)) return tooMany(excess, 1);
    let work: Promise<unknown> = Promise.resolve();
    try {
      return await handle(request, exchange, operation, search, (started) => {
        work = started;
      });
    } finally {
      // Work that exceeded its deadline is still running, so it still counts.
      void work.then(
        () => simultaneous.leave(key),
        () => simultaneous.leave(key),
      );
    }
  }

  /** Callers take turns at the connections, so one with many requests delays mainly itself. */
  function storeOf({ caller }: Exchange): Pool {
    return caller === undefined ? context.store : turns.poolOf(callerKey(caller));
  }

  /** The turns of the caller at threads. The signal of the request is asked for only when it is needed. */
  function turnsOf({ caller, params }: Exchange, signal: () => AbortSignal): Turns {
    return {
      async take(kind, bytes) {
        if (caller === undefined) throw new Error('Work in threads needs a caller');
        const owner = { caller: callerKey(caller), project: params?.['projectID'], signal: signal() };
        return context.turns.of(owner).take(kind, bytes);
      },
    };
  }

  function limitsOfBody(operation: Operation, request: Request, exchange: Exchange): JsonBodyLimits {
    const key = exchange.caller === undefined ? addressKey(exchange) : callerKey(exchange.caller);
    return {
      maximumBytes: operation.maxBodyBytes ?? configuration.maximumBodyBytes,
      spend(bytes) {
        const seconds = bodies.take(key, bytes);
        return seconds === undefined ? undefined : tooMany('too many bytes per second', seconds);
      },
      spendValues: (values) => bodies.spend(key, values * BYTES_OF_VALUE),
      get turns() {
        return turnsOf(exchange, () => request.signal);
      },
      count(place, { bytes, values }) {
        context.metrics.bodyBytes.inc({ place }, bytes);
        context.metrics.bodyValues.inc({ place }, values);
      },
    };
  }

  /** Calls other operations in the name of the caller of the request. */
  function pipelineOf(request: Request, exchange: Exchange): Pipeline {
    return {
      operations,
      requestID: exchange.requestID,
      async call(operation, { rawParameters, search, headers, body }) {
        const call: Exchange = { ...exchange, via: 'MCP', startedAt: performance.now(), operation, params: undefined };
        const inner = operationRequest(operation, headers, body, request.signal);
        const found = await answered(context, call, () => perform(inner, call, operation, rawParameters, search));
        logRequest(context, call, found);
        return found;
      },
    };
  }

  async function handle(
    request: Request,
    exchange: Exchange,
    operation: Operation,
    search: string,
    onStarted?: (work: Promise<unknown>) => void,
  ): Promise<OperationResult | Problem> {
    const body = await readJsonBody(operation, request, limitsOfBody(operation, request, exchange));
    if (body.kind === 'problem') return body;
    const stream = streamOf(operation, request);
    const query = readQuery(stream ? stream.query : operation.request.query, search);
    if (query.kind === 'problem') return query;
    const headers = readHeaders(operation, request, exchange, body.value);
    if (headers.kind === 'problem') return headers;
    const store = storeOf(exchange);
    const unknown = await unknownProject(store, exchange);
    if (unknown !== undefined) return unknown;
    const params = withTestProject(exchange.params, query.value, body.value);
    const audit = auditOf(operation, exchange, query.value, body.value);
    // From here to the start of the work, nothing may throw or wait: the place is given back when the work ends.
    const wait = waitOf(operation, exchange, headers.value, body.value, stream !== undefined);
    if (wait.kind === 'problem') return wait;
    const { operationID } = operation;
    const notifications = new CountedWaiting(context.notifications, operationID, wait.longest, () => request.signal);
    // Created on demand: aborting one costs more than most of a small request.
    let ended: AbortController | undefined;
    const input = {
      params,
      query: query.value,
      body: body.value,
      caller: exchange.caller,
      headers: wait.headers,
      pollMilliseconds: wait.pollMilliseconds,
      traceContext: exchange.traceContext,
      context: { ...context, store, notifications },
      audit,
      // Built on demand: few operations need these two, and the server builds a whole Request for the signal.
      get log() {
        return context.logger.child({ requestID: exchange.requestID, operationID: operation.operationID });
      },
      get signal() {
        return request.signal;
      },
      get turns() {
        return turnsOf(exchange, () => AbortSignal.any([request.signal, (ended ??= new AbortController()).signal]));
      },
      get pipeline() {
        return pipelineOf(request, exchange);
      },
    };
    if (stream) {
      const rows = await stream.read(input);
      if (isProblem(rows)) return rows;
      return answerWithLines(rows, stream.format, configuration.verifyResponses ? stream.item : undefined, onStarted);
    }
    const work = (async () => handleRecorded(operation, input))().finally(() => wait.leave());
    onStarted?.(work);
    const result = await withDeadline(work, operation.deadlineSeconds);
    // After the deadline, no caller waits for the work in threads.
    ended?.abort();
    if (configuration.verifyResponses) verifyResponse(operation, result);
    return wait.isShortened ? withRetryAfter(result) : result;
  }

  /** A stream has another limit than the waits of its operation. */
  function waitOf(
    operation: Operation,
    { caller }: Exchange,
    headers: RequestHeaders,
    body: unknown,
    isStream: boolean,
  ): Admitted | Problem {
    const given = {
      kind: 'admitted',
      longest: isStream ? Infinity : 0,
      headers,
      pollMilliseconds: 0,
      isShortened: false,
      leave: () => undefined,
    } as const;
    if (caller === undefined || isStream) return given;
    return admitWait(operation, headers, body, { simultaneous: waiting, key: callerKey(caller) });
  }
}

/** The request of an operation that is called by another one. Its address is never read. */
function operationRequest(
  { method }: Operation,
  given: OperationCall['headers'],
  body: unknown,
  signal: AbortSignal,
): Request {
  const json = body === undefined || method === 'GET' ? undefined : JSON.stringify(body);
  const headers = { ...given, ...(json !== undefined && { 'Content-Type': 'application/json' }) };
  return new Request('http://perdure.invalid/', { method, headers, body: json, signal });
}

/** Undefined for operations that record nothing. */
function auditOf(
  { operationID, records = 'none' }: Operation,
  { requestID, via, caller, params = {} }: Exchange,
  query: unknown,
  body: unknown,
): AuditDraft | undefined {
  const isDryRun = (body as { dryRun?: boolean } | undefined)?.dryRun === true;
  if (records === 'none' || caller === undefined || isDryRun) return undefined;
  return auditDraft({ operationID, requestID, via, caller, params, query, body });
}

/** A stream counts as work until its response is over. */
async function answerWithLines(
  rows: AsyncIterable<unknown>,
  format: LinesFormat,
  item: z.ZodType | undefined,
  onStarted: ((work: Promise<unknown>) => void) | undefined,
): Promise<OperationResult | Problem> {
  const opening = openLines(rows, format, item);
  onStarted?.(opening.then(({ closed }) => closed));
  const opened = await withDeadline(opening, LINES_DEADLINE_SECONDS);
  if ('text' in opened) return { status: 200, lines: opened };
  opening.then(
    (late) => late.close(),
    () => undefined,
  );
  return opened;
}

/** HEAD is handled as GET; Hono drops the body. */
function methodOf(request: Request): Method {
  return (request.method === 'HEAD' ? 'GET' : request.method) as Method;
}

/** Path and query as received: not decoded, and without the host. */
function splitTarget(url: string): { path: string; search: string } {
  const afterHost = url.indexOf('/', url.indexOf('://') + 3);
  const target = afterHost < 0 ? '/' : (url.slice(afterHost).split('#')[0] as string);
  const question = target.indexOf('?');
  return question < 0
    ? { path: target, search: '' }
    : { path: target.slice(0, question), search: target.slice(question + 1) };
}

function canonicalParameters(
  operation: Operation,
  rawParameters: readonly string[],
  aliases: ReadonlyMap<string, string>,
): Record<string, string> | undefined {
  const params = readPathParameters(operation, rawParameters);
  if (params?.['projectID'] === undefined) return params;
  return { ...params, projectID: canonicalProjectID(params['projectID'], aliases) };
}

/** The right that the caller lacks for the operation, or undefined. Reads only the claims of the token. */
function lackingRight(
  { role }: Operation,
  caller: Caller | undefined,
  params: Readonly<Record<string, string>>,
): string | undefined {
  if (caller === undefined || role === 'public' || role === 'authenticated') return undefined;
  if (role === 'org-admin') {
    return caller.organisationRoles.has('admin') || caller.systemAdmin
      ? undefined
      : 'the caller is not an organization admin';
  }
  const held = caller.projectRole(params['projectID'] as string);
  if (held === undefined) return 'the caller is not a member of the project';
  return includesRole(held, role) ? undefined : `the caller is ${held}, the operation needs ${role}`;
}

/**
 * A system admin has a role in every existing project, so only the row decides whether the project of the path exists.
 * Any other caller's token has named it.
 */
async function unknownProject(store: Pool, { caller, params }: Exchange): Promise<Problem | undefined> {
  const projectID = params?.['projectID'];
  if (projectID === undefined || caller?.systemAdmin !== true || caller.projects.has(projectID)) return undefined;
  return (await findProject(store, projectID)) === undefined ? notFound(`no project ${projectID}`) : undefined;
}

function callerKey(caller: Caller): string {
  return `caller ${caller.issuer} ${caller.subject}`;
}

function addressKey(exchange: Exchange): string {
  return `address ${networkOf(exchange.clientAddress)}`;
}
