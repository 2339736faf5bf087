/**
 * The API as one Hono application, without a port.
 *
 * It has a single route. The contract fixes the order of checks across all operations, and a router that falls through
 * handlers would spread that order over many files (see `answer.ts`).
 */
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { createRequestHandler } from './http/handle-request.js';
import type { ApiConfiguration } from './configuration.js';
import type { ApiContext } from './context.js';
import { createClientAddresses } from './http/request/client-address.js';
import { answered } from './http/failures.js';
import { corsHeaders, isPreflight, preflightHeaders, securityHeaders } from './http/request/headers.js';
import { chooseRequestID } from './http/request/request-id.js';
import type { Exchange } from './http/exchange.js';
import { bodyOfLines, sendLines } from './http/response/send-lines.js';
import { answerWithDocument } from './http/response/static-document.js';
import type { Lines } from './contract/lines.js';
import { loggableError } from '../telemetry/logger.js';
import type { OperationResult, Operation } from './commands/operation.js';
import { operations as allOperations } from './operations/index.js';
import { isProblem, problemCodes, problemDocument } from './contract/problem.js';
import type { Problem } from './contract/problem.js';
import { logRequest } from './http/log-request.js';
import { requestSpan } from './http/request-span.js';

/** Data that the Node server passes along with the request; absent when a test calls the application directly. */
interface Bindings {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string } };
  readonly outgoing?: ServerResponse;
  readonly identified?: () => void;
}

/**
 * Builds the application.
 *
 * @param operations the operations to serve; a test can bring its own instead of the product's
 */
export function createApp(
  context: ApiContext,
  configuration: ApiConfiguration,
  operations: readonly Operation[] = allOperations,
): Hono {
  const handleRequest = createRequestHandler(context, configuration, operations);
  const addresses = createClientAddresses(configuration.trustedProxies);

  async function respond(request: Request, bindings: Bindings | undefined): Promise<Response> {
    const origin = request.headers.get('origin');
    const common = { ...securityHeaders, ...corsHeaders(origin, configuration.corsOrigins) };
    if (isPreflight(request)) {
      return new Response(null, {
        status: 204,
        headers: { ...common, ...preflightHeaders(origin, configuration.corsOrigins) },
      });
    }
    const exchange: Exchange = {
      requestID: chooseRequestID(request.headers.get('x-request-id')),
      via: 'REST',
      method: request.method,
      clientAddress: addresses.find(
        bindings?.incoming?.socket.remoteAddress ?? '',
        request.headers.get('x-forwarded-for'),
      ),
      startedAt: performance.now(),
      traceContext: undefined,
      operation: undefined,
      caller: undefined,
      identified: bindings?.identified,
      params: undefined,
    };
    const found = await context.tracer.trace(requestSpan(request, exchange), async (traceContext) => {
      exchange.traceContext = traceContext;
      return answered(context, exchange, () => handleRequest(request, exchange));
    });
    logRequest(context, exchange, found);
    const plain = toPlainResponse(found, exchange, common, request.headers);
    const lines = isProblem(found) ? undefined : found.lines;
    if (lines !== undefined) return respondWithLines(lines, plain, exchange, bindings);
    return bindings?.outgoing === undefined ? toResponse(plain) : send(plain, bindings.outgoing);
  }

  function respondWithLines(
    lines: Lines,
    { status, headers }: PlainResponse,
    { method, requestID }: Exchange,
    bindings: Bindings | undefined,
  ): Response {
    const all = { ...headers, 'Content-Type': lines.mediaType };
    if (method === 'HEAD') {
      lines.close();
      return new Response(null, { status, headers: all });
    }
    if (bindings?.outgoing === undefined) return new Response(bodyOfLines(lines), { status, headers: all });
    void sendLines(lines, bindings.outgoing.writeHead(status, all), (error) =>
      context.logger.error({ event: 'exception', requestID, error: loggableError(error) }, 'stream aborted'),
    );
    return RESPONSE_ALREADY_SENT;
  }

  const app = new Hono();
  app.all('*', (c) => respond(c.req.raw, c.env as Bindings | undefined));
  return app;
}

interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

function toPlainResponse(
  found: OperationResult | Problem,
  exchange: Exchange,
  common: Readonly<Record<string, string>>,
  requested: Headers,
): PlainResponse {
  if (!isProblem(found) && found.document !== undefined) {
    const { status, headers, bytes } = answerWithDocument(found.document, requested);
    const ofBytes = bytes && {
      'Content-Type': mediaTypeOf(exchange.operation, found.status),
      'Content-Length': String(bytes.byteLength),
    };
    const all = { ...common, 'X-Request-Id': exchange.requestID, ...ofBytes, ...found.headers, ...headers };
    return { status, headers: all, body: bytes };
  }
  const problem = isProblem(found) ? found : undefined;
  const status = isProblem(found) ? problemCodes[found.code].status : found.status;
  const body = isProblem(found)
    ? JSON.stringify(problemDocument(found, exchange.requestID))
    : bodyText(found, exchange.operation);
  const ofBody = body !== undefined && {
    'Content-Type': problem ? 'application/problem+json' : mediaTypeOf(exchange.operation, status),
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { status, headers: { ...common, 'X-Request-Id': exchange.requestID, ...ofBody, ...found.headers }, body };
}

function toResponse({ status, headers, body }: PlainResponse): Response {
  return new Response(body ?? null, { status, headers });
}

/** Writes to Node's response: as a `Response`, the body would become a stream that is read again, a fifth of a request's CPU. */
function send({ status, headers, body }: PlainResponse, outgoing: ServerResponse): Response {
  outgoing.writeHead(status, headers).end(body);
  return RESPONSE_ALREADY_SENT;
}

function bodyText(
  answer: OperationResult,
  operation: Operation | undefined,
): string | Uint8Array<ArrayBuffer> | undefined {
  if (answer.body === undefined) return undefined;
  if (operation?.responses[answer.status]?.mediaType !== undefined)
    return answer.body as string | Uint8Array<ArrayBuffer>;
  return JSON.stringify(answer.body);
}

function mediaTypeOf(operation: Operation | undefined, status: number): string {
  return operation?.responses[status]?.mediaType ?? 'application/json';
}
