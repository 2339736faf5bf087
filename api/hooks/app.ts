/**
 * The hooks as one Hono application, on a separate port: every endpoint of the API keeps asking for a token, and a
 * sender can publish one message and nothing else.
 */
import type { Hono } from 'hono';
import { findHooks } from '../../store/hooks/hooks.js';
import type { ApiConfiguration } from '../configuration.js';
import type { ApiContext } from '../context.js';
import { isProblem, problemCodes } from '../contract/problem.js';
import { answered, withDeadline } from '../http/failures.js';
import { limitKey, type Exchange } from '../http/exchange.js';
import { listen } from '../http/listen.js';
import { createTokenBuckets } from '../http/rate-limits.js';
import { tooMany } from '../http/refusals.js';
import { takeSteps, type Response, type Step } from '../pipeline/steps.js';
import { Delivery, type Clocks, type HookHost } from './delivery.js';
import { createKnownHooks } from './known-hooks.js';
import {
  authenticate,
  evaluate,
  findTarget,
  limitDeliveries,
  readDelivery,
  record,
  repeatIfChanged,
  requirePost,
  respond,
} from './receive.js';

/** Everything before the signature is the same for hooks that exist and hooks that do not. */
const steps: readonly Step<Delivery, HookHost>[] = [
  findTarget, // 404 path
  requirePost, // 405
  readDelivery, // 415, 413
  authenticate, // 404 hook or signature
  limitDeliveries, // 429
  evaluate,
  record, // 429 quota, 400 content or expression
  repeatIfChanged,
  respond, // 200
];

const OPERATION = 'ReceiveWebhook';
/** Longer than reading a request may take. */
const DEADLINE_SECONDS = 60;
const RATE = { perSecond: 100, burst: 100 };

const systemClocks: Clocks = { time: () => Date.now(), monotonic: () => performance.now() };

export function createHookApp(
  context: ApiContext,
  { trustedProxies, requestRate }: Pick<ApiConfiguration, 'trustedProxies' | 'requestRate'>,
  clocks: Clocks = systemClocks,
): Hono {
  const host: HookHost = {
    context,
    clocks,
    known: createKnownHooks({ read: (hookIDs) => findHooks(context.store, hookIDs), now: clocks.monotonic }),
    deliveries: createTokenBuckets(RATE, clocks.monotonic),
  };
  const refusals = createTokenBuckets(requestRate, clocks.monotonic);

  /** Senders without the right signature are limited like callers without a token. */
  function limited(found: Response, exchange: Exchange): Response {
    if (!isProblem(found) || found.code !== 'NOT_FOUND') return found;
    const seconds = refusals.take(limitKey(exchange));
    return seconds === undefined ? found : tooMany('too many requests per second', seconds);
  }

  return listen(
    {
      async respond(exchange) {
        const found = await answered(context, exchange, async () =>
          limited(await withDeadline(takeSteps(steps, new Delivery(exchange), host), DEADLINE_SECONDS), exchange),
        );
        return closing(found);
      },
      record: (exchange, found) => recordResponse(context, exchange, found),
      recordAborted: () => undefined,
    },
    { via: 'HOOK', trustedProxies },
  );
}

/** Refused deliveries end their connection, so that unknown senders do not occupy the listener. */
function closing(found: Response): Response {
  return isProblem(found) ? { ...found, headers: { Connection: 'close', ...found.headers } } : found;
}

function recordResponse({ metrics, logger }: ApiContext, exchange: Exchange, found: Response): void {
  const { requestID, startedAt, clientAddress } = exchange;
  const status = isProblem(found) ? problemCodes[found.code].status : found.status;
  const method = exchange.method === 'POST' ? 'POST' : 'other';
  metrics.requestSeconds.observe({ operation: OPERATION, method, status }, (performance.now() - startedAt) / 1000);
  const line = { requestID, operation: OPERATION, ...exchange.params, status, clientAddress };
  if (isProblem(found)) logger.info({ event: 'not delivered', ...line, code: found.code, reason: found.reason });
  else logger.debug({ event: 'delivered', ...line, ...(found.body as object) });
}
