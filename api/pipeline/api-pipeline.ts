/**
 * The request pipeline of the API, for REST, for agents, and for callers of Nexus: all checks, in the order that keeps them safe.
 *
 * 429 and 503 can occur at any step. Rights are decided before any database read, so neither the response nor its timing
 * reveals whether something exists.
 */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/caller.js';
import type { Operation, OperationCall } from '../commands/operation.js';
import type { ApiConfiguration } from '../configuration.js';
import type { ApiContext } from '../context.js';
import type { Exchange } from '../http/exchange.js';
import { answered } from '../http/failures.js';
import { logRequest } from '../http/log-request.js';
import { tooMany } from '../http/refusals.js';
import { createRoutes } from '../http/routes.js';
import { createRequestLimits, type ApiHost, type RequestLimits } from './api-host.js';
import { authenticate, keyOf, takeRequest } from './authenticate.js';
import { authorize, requireProject } from './authorize.js';
import { Call } from './call.js';
import { handle, verify } from './handle.js';
import { limitWork } from './limit.js';
import { readHeaders } from './read-headers.js';
import { readBody, readPath, readQuery } from './read.js';
import { record } from './record.js';
import { requireRoute, findRoute } from './route.js';
import { takeSteps, type Response, type Step } from './steps.js';
import { limitWaits } from './waits.js';

/** Of each request. */
const requestSteps: readonly Step<Exchange, ApiHost>[] = [
  findRoute,
  authenticate, // 401
  requireRoute, // 404 path, 405 method
  callOperation,
];

/** Of each operation that a request calls: one by REST or Nexus, any number by an agent. */
const callSteps: readonly Step<Call, ApiHost>[] = [
  readPath, // 404 malformed id
  authorize, // 404 missing right
  limitWork,
  readBody, // 415, 413, 400
  readQuery, // 400
  readHeaders, // 400
  requireProject, // 404 missing project
  record,
  limitWaits,
  handle, // 404 missing object, 409, success
  verify,
];

/** Responds to requests of the API. Fills in the exchange; throws only because of bugs and unavailable dependencies. */
export type RespondToRequest = (exchange: Exchange) => Promise<Response>;

/** @param limits shared by the pipelines whose requests count together */
export function createApiPipeline(
  context: ApiContext,
  configuration: ApiConfiguration,
  operations: readonly Operation[],
  limits: RequestLimits = createRequestLimits(configuration),
): RespondToRequest {
  const host = createHost(context, configuration, operations, limits);
  return (exchange) => takeSteps(requestSteps, exchange, host);
}

/** A request that is known to come from this caller, without a token. */
interface AdmittedRequest extends Pick<Exchange, 'via' | 'clientRequestID' | 'repeatedUntil'> {
  readonly caller: Caller;
  readonly operation: Operation;
  readonly call: OperationCall;
  readonly signal: AbortSignal;
}

/** Responds to requests whose callers were admitted elsewhere. Never rejects. */
export function createAdmittedPipeline(
  context: ApiContext,
  configuration: ApiConfiguration,
  operations: readonly Operation[],
): (admitted: AdmittedRequest) => Promise<Response> {
  const host = createHost(context, configuration, operations, createRequestLimits(configuration));
  return async (admitted) => {
    const { operation, call } = admitted;
    const exchange = exchangeOf(admitted);
    const work = () => new Call(host, exchange, operation, exchange.request, call.rawParameters, call.search);
    const found = await answered(
      context,
      exchange,
      async () => takeRequest(exchange, host.limits) ?? inProgress(exchange, host, () => takeCallSteps(work())),
    );
    logRequest(context, exchange, found);
    return found;
  };
}

function exchangeOf({ operation, call, signal, ...known }: AdmittedRequest): Exchange {
  return {
    ...known,
    request: requestOf(operation, call, signal),
    requestID: randomUUID(),
    method: operation.method,
    authorization: null,
    clientAddress: '',
    rawHeaders: [],
    startedAt: performance.now(),
    traceContext: undefined,
    route: undefined,
    search: call.search,
    operation,
    callerKey: keyOf(known.caller),
    params: undefined,
  };
}

function createHost(
  context: ApiContext,
  configuration: ApiConfiguration,
  operations: readonly Operation[],
  limits: RequestLimits,
): ApiHost {
  const host: ApiHost = {
    context,
    configuration,
    operations,
    routes: createRoutes(operations),
    limits,
    call: (exchange, operation, call) => callForAgent(host, exchange, operation, call),
  };
  return host;
}

/** The operation of the request. */
async function callOperation(exchange: Exchange, host: ApiHost): Promise<Response> {
  const { request, route, operation, search } = exchange;
  return inProgress(exchange, host, () =>
    takeCallSteps(new Call(host, exchange, operation!, request, route!.rawParameters, search)),
  );
}

/** 429 above the number of requests that a caller may have in progress. */
async function inProgress(
  { callerKey }: Exchange,
  { limits }: ApiHost,
  work: () => Promise<Response>,
): Promise<Response> {
  if (callerKey !== undefined && !limits.inProgress.enter(callerKey)) return tooMany('too many concurrent requests', 1);
  try {
    return await work();
  } finally {
    if (callerKey !== undefined) limits.inProgress.leave(callerKey);
  }
}

/** Another operation in the name of the caller, with its own log line. */
async function callForAgent(
  host: ApiHost,
  request: Exchange,
  operation: Operation,
  call: OperationCall,
): Promise<Response> {
  const exchange: Exchange = {
    ...request,
    via: 'MCP',
    startedAt: performance.now(),
    operation,
    params: undefined,
  };
  const inner = requestOf(operation, call, request.request.signal);
  const found = await answered(host.context, exchange, () =>
    takeCallSteps(new Call(host, exchange, operation, inner, call.rawParameters, call.search)),
  );
  logRequest(host.context, exchange, found);
  return found;
}

/** The request of a call. Its address is never read. */
function requestOf({ method }: Operation, { headers, body }: OperationCall, signal: AbortSignal): Request {
  const json = body === undefined || method === 'GET' ? undefined : JSON.stringify(body);
  return new Request('http://perdure.invalid/', {
    method,
    headers: { ...headers, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
    body: json,
    signal,
  });
}

async function takeCallSteps(call: Call): Promise<Response> {
  try {
    return await takeSteps(callSteps, call, call.host);
  } finally {
    if (!call.isWorking) call.leave();
  }
}
