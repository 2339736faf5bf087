/**
 * One delivery, from its bytes to its answer:
 *
 *     404 path -> 405 method -> 415, 413 -> 404 hook or signature -> 429 -> 400 content or expression -> 200
 *
 * Everything before the signature is the same for hooks that exist and hooks that do not.
 */
import { findHooks } from '../../store/hooks/hooks.js';
import { matchChannel } from '../../store/messages/matching.js';
import { loggableError } from '../../telemetry/logger.js';
import { canonicalProjectID } from '../access/settings/project-aliases.js';
import type { ApiContext } from '../context.js';
import { notFound, problem, unavailable, type Problem } from '../contract/problem.js';
import { createTokenBuckets } from '../http/rate-limits.js';
import { tooMany } from '../http/refusals.js';
import { readBody, type Media } from '../http/request/body.js';
import { contentOf, excerpt } from './content.js';
import type { DeliveredHeaders } from './headers.js';
import { createKnownHooks, TooManyUnknown, type KnownHook } from './known-hooks.js';
import { recordDelivered, type Recorded } from './publish.js';
import { isAuthentic } from './signatures.js';
import { evaluateInThread } from './threads.js';

export interface HookRequest {
  readonly request: Request;
  readonly requestID: string;
  readonly projectID: string;
  readonly hookID: string;
  readonly headers: DeliveredHeaders;
  /** Without the question mark. */
  readonly search: string;
}

export interface Accepted {
  readonly kind: 'accepted';
  readonly body: Pick<Recorded, 'outcome' | 'publicationID'>;
}

export interface Clocks {
  /** Epoch milliseconds. */
  time(): number;
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
}

const MAX_BODY_BYTES = 1024 * 1024;
const RATE = { perSecond: 100, burst: 100 };
const QUOTA_RETRY_SECONDS = 10;
const UNAVAILABLE_RETRY_SECONDS = 2;

const media: Media = {
  accepts: (contentType) => contentOf(contentType) !== undefined,
  expected: 'Content-Type must be application/json, application/x-www-form-urlencoded, or text/plain, in UTF-8',
};

export function createReceiver(
  context: ApiContext,
  clocks: Clocks,
): (given: HookRequest) => Promise<Accepted | Problem> {
  const known = createKnownHooks({ read: (hookIDs) => findHooks(context.store, hookIDs), now: clocks.monotonic });
  const deliveries = createTokenBuckets(RATE, clocks.monotonic);

  return async function receive(given) {
    const reading = await readBody(given.request, { maximumBytes: MAX_BODY_BYTES, media });
    if (reading.kind === 'problem') return reading;
    const { bytes } = reading;
    // A second time, if the hook was changed between its authentication and the transaction.
    for (const isLast of [false, true]) {
      const found = await authenticate(given, bytes ?? new Uint8Array());
      if (found.kind === 'problem') return found;
      const seconds = isLast ? undefined : deliveries.take(given.hookID);
      if (seconds !== undefined) return tooMany('too many deliveries per second', seconds);
      const answer = await record(given, found.known, bytes);
      if (answer.kind !== 'changed') return answer;
      known.forget(given.hookID);
    }
    return unavailable('the hook is being changed', UNAVAILABLE_RETRY_SECONDS);
  };

  async function authenticate(
    { projectID, hookID, headers }: HookRequest,
    bytes: Uint8Array,
  ): Promise<{ kind: 'authentic'; known: KnownHook } | Problem> {
    let found: KnownHook | undefined;
    try {
      found = await known.find(hookID);
    } catch (error) {
      if (error instanceof TooManyUnknown)
        return unavailable('too many requests to unknown hooks', UNAVAILABLE_RETRY_SECONDS);
      throw error;
    }
    const project = canonicalProjectID(projectID, context.authenticator.projectAliases);
    if (found === undefined || found.hook.projectID !== project) return notFound(`no hook ${hookID}`);
    const { auth, enabled } = found.hook;
    if (!enabled) return notFound(`hook ${hookID} is disabled`);
    const secrets = await secretsOf(found);
    if (secrets.length === 0) return notFound(`secret ${auth.secret} of hook ${hookID} cannot be read`);
    const delivery = { header: (name: string) => headers.only(name), bytes, now: clocks.time() };
    if (!isAuthentic(auth, secrets, delivery)) return notFound(`the signature for hook ${hookID} is wrong or missing`);
    return { kind: 'authentic', known: found };
  }

  /** None if the host has no such secret. An unreadable secret must not reveal that the hook exists. */
  async function secretsOf({ hook }: KnownHook): Promise<readonly string[]> {
    try {
      return (await context.secrets.resolve(hook.projectID, hook.auth.secret))?.values ?? [];
    } catch (error) {
      context.logger.error({ hookID: hook.hookID, error: loggableError(error) }, 'secret of a hook cannot be read');
      return [];
    }
  }

  async function record(
    { request, requestID, headers, search }: HookRequest,
    { hook }: KnownHook,
    bytes: Uint8Array<ArrayBuffer> | undefined,
  ): Promise<Accepted | Problem | { kind: 'changed' }> {
    const now = clocks.time();
    const { messageName, correlationKeys, variables, idempotencyKey, hookID, projectID } = hook;
    const turns = context.turns.of({ caller: `hook ${hookID}`, project: projectID, signal: request.signal });
    const work = {
      texts: { messageName, correlationKeys, variables, idempotencyKey },
      content: contentOf(request.headers.get('content-type')),
      bytes,
      headers: hook.auth.type === 'HEADER' ? headers.without(hook.auth.header) : headers.all,
      search,
      now,
    };
    const evaluated = await evaluateInThread(work, turns);
    const done = await recordDelivered(context, { hook, evaluated, excerpt: excerpt(bytes), requestID, now });
    if (done.kind === 'changed') return done;
    if (done.kind === 'quota') return tooMany('the project keeps too many messages', QUOTA_RETRY_SECONDS);
    if (done.problem !== undefined) return problem('BAD_REQUEST', done.problem);
    if (done.channel !== undefined) await deliver(hook.projectID, done.channel);
    const { outcome, publicationID } = done;
    return { kind: 'accepted', body: { outcome, ...(publicationID !== undefined && { publicationID }) } };
  }

  /** The message is stored, so a failure here only delays it: the outbox relay delivers it then. */
  async function deliver(projectID: string, channel: string): Promise<void> {
    await matchChannel(context.store, { projectID, channel }, false).catch((error: unknown) =>
      context.logger.warn({ error: loggableError(error) }, 'message of a hook not matched yet'),
    );
  }
}
