/**
 * The hooks as one Hono application, on a separate port: every endpoint of the API keeps asking for a token, and a
 * sender can publish one message and nothing else.
 */
import { Hono } from 'hono';
import type { ApiConfiguration } from '../configuration.js';
import type { ApiContext } from '../context.js';
import { isProblem, notFound, problem, problemCodes, problemDocument, type Problem } from '../contract/problem.js';
import { identifier, uuid } from '../contract/schemas.js';
import { answered, withDeadline } from '../http/failures.js';
import { createTokenBuckets } from '../http/rate-limits.js';
import { tooMany } from '../http/refusals.js';
import { createClientAddresses, networkOf } from '../http/request/client-address.js';
import { securityHeaders } from '../http/request/headers.js';
import { chooseRequestID } from '../http/request/request-id.js';
import { DeliveredHeaders } from './headers.js';
import { createReceiver, type Accepted, type Clocks } from './receive.js';

interface Bindings {
  readonly incoming: { readonly rawHeaders: readonly string[]; readonly socket: { readonly remoteAddress?: string } };
}

const OPERATION = 'ReceiveWebhook';
/** Longer than reading a request may take. */
const DEADLINE_SECONDS = 60;

const systemClocks: Clocks = { time: () => Date.now(), monotonic: () => performance.now() };

export function createHookApp(
  context: ApiContext,
  { trustedProxies, requestRate }: Pick<ApiConfiguration, 'trustedProxies' | 'requestRate'>,
  clocks: Clocks = systemClocks,
): Hono {
  const receive = createReceiver(context, clocks);
  const addresses = createClientAddresses(trustedProxies);
  const refusals = createTokenBuckets(requestRate, clocks.monotonic);

  async function respond(request: Request, { incoming }: Bindings): Promise<Response> {
    const startedAt = performance.now();
    const requestID = chooseRequestID(request.headers.get('x-request-id'));
    const address = addresses.find(incoming.socket.remoteAddress ?? '', request.headers.get('x-forwarded-for'));
    const target = targetOf(request.url);
    const found = await answered(context, { requestID }, async () => {
      const answer = await handle(request, incoming, requestID, target);
      return isProblem(answer) && answer.code === 'NOT_FOUND' ? limited(answer, address) : answer;
    });
    const status = isProblem(found) ? problemCodes[found.code].status : 200;
    const { method } = request;
    context.metrics.requestSeconds.observe(
      { operation: OPERATION, method: method === 'POST' ? method : 'other', status },
      (performance.now() - startedAt) / 1000,
    );
    log(found, {
      requestID,
      operation: OPERATION,
      projectID: target?.projectID,
      hookID: target?.hookID,
      status,
      clientAddress: address,
    });
    return toResponse(found, status, requestID);
  }

  async function handle(
    request: Request,
    { rawHeaders }: Bindings['incoming'],
    requestID: string,
    target: Target | undefined,
  ): Promise<Accepted | Problem> {
    if (target === undefined) return notFound('not the path of a hook');
    if (request.method !== 'POST')
      return problem('METHOD_NOT_ALLOWED', 'This path does not support the method', { headers: { Allow: 'POST' } });
    const work = receive({ request, requestID, headers: new DeliveredHeaders(rawHeaders), ...target });
    return withDeadline(work, DEADLINE_SECONDS);
  }

  /** Senders without the right signature are limited like callers without a token. */
  function limited(answer: Problem, address: string): Problem {
    const seconds = refusals.take(networkOf(address));
    return seconds === undefined ? answer : tooMany('too many requests per second', seconds);
  }

  function log(found: Accepted | Problem, line: Record<string, unknown>): void {
    if (!isProblem(found)) context.logger.debug({ event: 'delivered', ...line, ...found.body });
    else context.logger.info({ event: 'not delivered', ...line, code: found.code, reason: found.reason });
  }

  const app = new Hono();
  app.all('*', (c) => respond(c.req.raw, c.env as Bindings));
  return app;
}

interface Target {
  readonly projectID: string;
  readonly hookID: string;
  readonly search: string;
}

/** `/hooks/{projectID}/{hookID}`, or undefined. */
function targetOf(url: string): Target | undefined {
  const { pathname, search } = new URL(url);
  const [, projectID, hookID] = /^\/hooks\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  if (!identifier.safeParse(projectID).success || !uuid.safeParse(hookID).success) return undefined;
  return { projectID: projectID!, hookID: hookID!.toLowerCase(), search: search.slice(1) };
}

function toResponse(found: Accepted | Problem, status: number, requestID: string): Response {
  const body = JSON.stringify(isProblem(found) ? problemDocument(found, requestID) : found.body);
  return new Response(body, {
    status,
    headers: {
      ...securityHeaders,
      'Content-Type': isProblem(found) ? 'application/problem+json' : 'application/json',
      'X-Request-Id': requestID,
      // A sender that is not known, or fails, keeps no place.
      ...(isProblem(found) && { Connection: 'close' }),
      ...(isProblem(found) && found.headers),
    },
  });
}
