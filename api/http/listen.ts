/** The HTTP shell of a request pipeline: one Hono application, without a port. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { OperationResult } from '../commands/operation.js';
import type { Lines } from '../contract/lines.js';
import { isProblem, type Problem } from '../contract/problem.js';
import type { Exchange } from './exchange.js';
import { createClientAddresses, type ClientAddresses } from './request/client-address.js';
import { corsHeaders, isPreflight, preflightHeaders, securityHeaders } from './request/headers.js';
import { readClientRequestID } from './request/request-id.js';
import { plainResponse, problemDocuments, type PlainResponse, type ProblemFormat } from './response/plain-response.js';
import { bodyOfLines, sendLines } from './response/send-lines.js';

/** The part behind a shell: it turns requests into responses. */
export interface Pipeline {
  /** Fills in the exchange. Never rejects. */
  respond(exchange: Exchange): Promise<OperationResult | Problem>;
  /** Records the response: a log line and metrics. */
  record(exchange: Exchange, found: OperationResult | Problem): void;
  /** The rows of a stream could not be read to the end. */
  recordAborted(exchange: Exchange, error: unknown): void;
}

export interface ListenOptions {
  readonly via: Exchange['via'];
  readonly trustedProxies: readonly string[];
  /** Undefined: no page of another origin may call, and no response depends on the origin. */
  readonly corsOrigins?: ReadonlySet<string>;
  /** Makes the `Authorization` header of one that another protocol has. */
  readonly authorizationOf?: (header: string | null) => string | null;
  /** How responses describe problems (default: RFC 9457). */
  readonly problems?: ProblemFormat;
}

/** Data that the Node server passes along with the request; absent when a test calls the application directly. */
interface Bindings {
  readonly incoming?: { readonly rawHeaders: readonly string[]; readonly socket: { readonly remoteAddress?: string } };
  readonly outgoing?: ServerResponse;
  readonly identified?: () => void;
}

/**
 * The application has a single route. The pipeline fixes the order of checks, and a router that falls through handlers would spread
 * that order over many files.
 */
export function listen(pipeline: Pipeline, options: ListenOptions): Hono {
  const shell = new Shell(pipeline, options);
  const app = new Hono();
  app.all('*', (c) => shell.respond(c.req.raw, c.env as Bindings | undefined));
  return app;
}

class Shell {
  readonly #pipeline: Pipeline;
  readonly #options: ListenOptions;
  readonly #addresses: ClientAddresses;

  constructor(pipeline: Pipeline, options: ListenOptions) {
    this.#pipeline = pipeline;
    this.#options = options;
    this.#addresses = createClientAddresses(options.trustedProxies);
  }

  async respond(request: Request, bindings: Bindings | undefined): Promise<Response> {
    const { corsOrigins, problems = problemDocuments } = this.#options;
    const origin = request.headers.get('origin');
    const common = corsOrigins ? { ...securityHeaders, ...corsHeaders(origin, corsOrigins) } : securityHeaders;
    if (corsOrigins && isPreflight(request))
      return new Response(null, { status: 204, headers: { ...common, ...preflightHeaders(origin, corsOrigins) } });
    const exchange = this.#exchangeOf(request, bindings);
    const found = await this.#pipeline.respond(exchange);
    this.#pipeline.record(exchange, found);
    const plain = plainResponse(found, exchange, common, problems);
    const lines = isProblem(found) ? undefined : found.lines;
    if (lines !== undefined) return this.#sendLines(lines, plain, exchange, bindings?.outgoing);
    return bindings?.outgoing === undefined ? toResponse(plain) : send(plain, bindings.outgoing);
  }

  #exchangeOf(request: Request, bindings: Bindings | undefined): Exchange {
    const { headers } = request;
    const authorization = headers.get('authorization');
    return {
      request,
      requestID: randomUUID(),
      clientRequestID: readClientRequestID(headers.get('x-request-id')),
      via: this.#options.via,
      method: request.method,
      authorization: this.#options.authorizationOf?.(authorization) ?? authorization,
      clientAddress: this.#addresses.find(
        bindings?.incoming?.socket.remoteAddress ?? '',
        headers.get('x-forwarded-for'),
      ),
      rawHeaders: bindings?.incoming?.rawHeaders ?? [],
      startedAt: performance.now(),
      traceContext: undefined,
      route: undefined,
      search: '',
      operation: undefined,
      caller: undefined,
      callerKey: undefined,
      identified: bindings?.identified,
      params: undefined,
    };
  }

  #sendLines(
    lines: Lines,
    { status, headers }: PlainResponse,
    exchange: Exchange,
    outgoing: ServerResponse | undefined,
  ): Response {
    const all = { ...headers, 'Content-Type': lines.mediaType };
    if (exchange.method === 'HEAD') {
      lines.close();
      return new Response(null, { status, headers: all });
    }
    if (outgoing === undefined) return new Response(bodyOfLines(lines), { status, headers: all });
    void sendLines(lines, outgoing.writeHead(status, all), (error) => this.#pipeline.recordAborted(exchange, error));
    return RESPONSE_ALREADY_SENT;
  }
}

function toResponse({ status, headers, body }: PlainResponse): Response {
  return new Response(body ?? null, { status, headers });
}

/** Writes to Node's response: as a `Response`, the body would become a stream that is read again, a fifth of a request's CPU. */
function send({ status, headers, body }: PlainResponse, outgoing: ServerResponse): Response {
  outgoing.writeHead(status, headers).end(body);
  return RESPONSE_ALREADY_SENT;
}
