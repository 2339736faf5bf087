/**
 * The API as one Hono application, without a port.
 *
 * It has one route, because the contract fixes the order of answers over all operations, and a router that falls
 * through from handler to handler would spread that order over many files: see `answer.ts`.
 */
import { Hono } from 'hono';
import { createAnswerer } from './answer.js';
import type { ApiConfiguration } from './configuration.js';
import type { ApiContext } from './context.js';
import { createClientAddresses } from './doors/client-address.js';
import { problemFromException } from './doors/failures.js';
import { corsHeaders, isPreflight, preflightHeaders, securityHeaders } from './doors/headers.js';
import { chooseRequestID } from './doors/request-id.js';
import type { Exchange } from './exchange.js';
import { loggableError } from './logger.js';
import type { Answer, Operation } from './operation.js';
import { operations as allOperations } from './operations/index.js';
import { isProblem, problemCodes, problemDocument } from './problem.js';
import type { Problem } from './problem.js';
import { recordExchange } from './record.js';
import { requestSpan } from './request-span.js';

/** What the Node server hands over beside the request; absent when a test calls the application itself. */
interface Bindings {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string } };
}

/**
 * Builds the application.
 *
 * @param operations the operations it serves; all of the product's unless a test brings its own
 */
export function createApp(
  context: ApiContext,
  configuration: ApiConfiguration,
  operations: readonly Operation[] = allOperations,
): Hono {
  const answer = createAnswerer(context, configuration, operations);
  const addresses = createClientAddresses(configuration.trustedProxies);

  async function respond(request: Request, bindings: Bindings | undefined): Promise<Response> {
    const origin = request.headers.get('origin');
    const common = { ...securityHeaders, ...corsHeaders(origin, configuration.corsOrigins) };
    if (isPreflight(request)) {
      return new Response(null, { status: 204, headers: { ...common, ...preflightHeaders(origin, configuration.corsOrigins) } });
    }
    const exchange: Exchange = {
      requestID: chooseRequestID(request.headers.get('x-request-id')),
      method: request.method,
      clientAddress: addresses.find(bindings?.incoming?.socket.remoteAddress ?? '', request.headers.get('x-forwarded-for')),
      startedAt: performance.now(),
      traceContext: undefined,
      operation: undefined,
      caller: undefined,
      params: undefined,
    };
    const found = await context.tracer.trace(requestSpan(request, exchange), async (traceContext) => {
      exchange.traceContext = traceContext;
      try {
        return await answer(request, exchange);
      } catch (error) {
        context.logger.error({ event: 'exception', requestID: exchange.requestID, error: loggableError(error) }, 'a request failed');
        return problemFromException(error);
      }
    });
    recordExchange(context, exchange, found);
    return toResponse(found, exchange, common);
  }

  const app = new Hono();
  app.all('*', (c) => respond(c.req.raw, c.env as Bindings | undefined));
  return app;
}

function toResponse(found: Answer | Problem, exchange: Exchange, common: Readonly<Record<string, string>>): Response {
  const headers = new Headers({ ...common, 'X-Request-Id': exchange.requestID });
  const problem = isProblem(found) ? found : undefined;
  const status = isProblem(found) ? problemCodes[found.code].status : found.status;
  const body = isProblem(found) ? JSON.stringify(problemDocument(found, exchange.requestID)) : bodyText(found, exchange.operation);
  if (body !== undefined) {
    headers.set('Content-Type', problem ? 'application/problem+json' : mediaTypeOf(exchange.operation, status));
    headers.set('Content-Length', String(Buffer.byteLength(body)));
  }
  for (const [name, value] of Object.entries(found.headers ?? {})) headers.set(name, value);
  return new Response(body ?? null, { status, headers });
}

function bodyText(answer: Answer, operation: Operation | undefined): string | Uint8Array<ArrayBuffer> | undefined {
  if (answer.body === undefined) return undefined;
  if (operation?.responses[answer.status]?.mediaType !== undefined) return answer.body as string | Uint8Array<ArrayBuffer>;
  return JSON.stringify(answer.body);
}

function mediaTypeOf(operation: Operation | undefined, status: number): string {
  return operation?.responses[status]?.mediaType ?? 'application/json';
}
