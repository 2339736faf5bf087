/** The steps of one delivery. */
import type { KeptRequest } from '../../store/hooks/deliveries.js';
import { matchChannel } from '../../store/messages/matching.js';
import { loggableError } from '../../telemetry/logger.js';
import { canonicalProjectID } from '../access/settings/project-aliases.js';
import { notFound, problem, unavailable, type Problem } from '../contract/problem.js';
import { identifier, uuid } from '../contract/schemas.js';
import { tooMany } from '../http/refusals.js';
import { readBody, type Media } from '../http/request/body.js';
import { takeSteps, type Response, type Step } from '../pipeline/steps.js';
import { contentOf, excerpt, isWhole } from './content.js';
import type { Delivery, HookHost } from './delivery.js';
import { TooManyUnknown, type KnownHook } from './known-hooks.js';
import { recordDelivered } from './publish.js';
import { textsOf } from './expressions.js';
import { withoutSecret } from './headers.js';
import { identityOf, isAuthentic, pretendToVerify } from './signatures.js';
import { evaluateInThread } from './threads.js';

const MAX_BODY_BYTES = 1024 * 1024;
const QUOTA_RETRY_SECONDS = 10;
const UNAVAILABLE_RETRY_SECONDS = 2;
/** Looked for if a hook, and so its secret, does not exist. */
const NO_SECRET = 'NO_SECRET';

const media: Media = {
  accepts: (contentType) => contentOf(contentType) !== undefined,
  expected: 'Content-Type must be application/json, application/x-www-form-urlencoded, or text/plain, in UTF-8',
};

/** `/hooks/{projectID}/{hookID}`. Does not find out whether the hook exists. */
export function findTarget(delivery: Delivery) {
  const { pathname, search } = new URL(delivery.exchange.request.url);
  const [, projectID, hookID] = /^\/hooks\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  if (!identifier.safeParse(projectID).success || !uuid.safeParse(hookID).success)
    return notFound('not the path of a hook');
  delivery.target = { projectID: projectID!, hookID: uuid.parse(hookID), search: search.slice(1) };
  delivery.exchange.params = { projectID: projectID!, hookID: delivery.target.hookID };
  return undefined;
}

export function requirePost({ exchange }: Delivery) {
  if (exchange.method === 'POST') return undefined;
  return problem('METHOD_NOT_ALLOWED', 'This path does not support the method', { headers: { Allow: 'POST' } });
}

export async function readDelivery(delivery: Delivery) {
  const reading = await readBody(delivery.exchange.request, { maximumBytes: MAX_BODY_BYTES, media });
  if (reading.kind === 'problem') return reading;
  delivery.bytes = reading.bytes;
  return undefined;
}

/** One 404 for a missing or disabled hook, an unreadable secret, and a wrong signature. */
export async function authenticate(delivery: Delivery, { context, clocks, known }: HookHost) {
  const { projectID, hookID } = delivery.target;
  const { headers, bytes = new Uint8Array() } = delivery;
  const found = await known.find(hookID).catch(tooManyUnknown);
  if (found !== undefined && 'kind' in found) return found;
  const project = canonicalProjectID(projectID, context.authenticator.projectAliases);
  const unknown = async (reason: string) => {
    await pretendToAuthenticate(projectID, bytes, context);
    return notFound(reason);
  };
  if (found === undefined || found.hook.projectID !== project) return unknown(`no hook ${hookID}`);
  const { auth, enabled } = found.hook;
  if (!enabled) return unknown(`hook ${hookID} is disabled`);
  const secrets = await secretsOf(found, context);
  if (secrets.length === 0) {
    pretendToVerify(bytes);
    return notFound(`secret ${auth.secret} of hook ${hookID} cannot be read`);
  }
  const signed = { header: (name: string) => headers.only(name), bytes, now: clocks.time() };
  if (!isAuthentic(auth, secrets, signed)) return notFound(`the signature for hook ${hookID} is wrong or missing`);
  delivery.known = found;
  delivery.identity = identityOf(auth, signed);
  return undefined;
}

/** The work for an existing hook with a wrong signature, so that the time of the 404 does not show which hooks exist. */
async function pretendToAuthenticate(projectID: string, bytes: Uint8Array, { secrets }: HookHost['context']) {
  await secrets.resolve(projectID, NO_SECRET).catch(() => undefined);
  pretendToVerify(bytes);
}

function tooManyUnknown(error: unknown) {
  if (!(error instanceof TooManyUnknown)) throw error;
  return unavailable('too many requests to unknown hooks', UNAVAILABLE_RETRY_SECONDS);
}

/** None if the host has no such secret. An unreadable secret must not reveal that the hook exists. */
async function secretsOf({ hook }: KnownHook, { secrets, logger }: HookHost['context']): Promise<readonly string[]> {
  try {
    return (await secrets.resolve(hook.projectID, hook.auth.secret))?.values ?? [];
  } catch (error) {
    logger.error({ hookID: hook.hookID, error: loggableError(error) }, 'secret of a hook cannot be read');
    return [];
  }
}

export function limitDeliveries({ target }: Delivery, { deliveries }: HookHost) {
  const seconds = deliveries.take(target.hookID);
  return seconds === undefined ? undefined : tooMany('too many deliveries per second', seconds);
}

export async function evaluate(delivery: Delivery, { context, clocks }: HookHost): Promise<undefined> {
  const { target, exchange, headers, bytes } = delivery;
  const { hook } = delivery.known;
  const { request } = exchange;
  const { hookID, projectID } = hook;
  delivery.evaluatedAt = clocks.time();
  const work = {
    texts: textsOf(hook),
    content: contentOf(request.headers.get('content-type')),
    bytes,
    headers: withoutSecret(headers.all, hook.auth),
    search: target.search,
    now: delivery.evaluatedAt,
  };
  const turns = context.turns.of({ caller: `hook ${hookID}`, project: projectID, signal: request.signal });
  delivery.evaluated = await evaluateInThread(work, turns);
}

/** 429 if the project keeps too many messages, 400 if an expression failed. */
export async function record(delivery: Delivery, { context }: HookHost) {
  const { exchange, evaluated, bytes } = delivery;
  const { hook } = delivery.known;
  const { requestID } = exchange;
  const now = delivery.evaluatedAt;
  const { identity } = delivery;
  const kept = excerpt(bytes);
  const request = isWhole(kept, bytes) ? requestOf(delivery) : undefined;
  const delivered = { hook, evaluated, identity, excerpt: kept, request, requestID, now };
  const done = await recordDelivered(context, delivered);
  if (done.kind === 'quota') return tooManyKept();
  if (done.kind === 'changed') return undefined;
  if (done.problem !== undefined) return problem('BAD_REQUEST', done.problem);
  delivery.recorded = done;
  return undefined;
}

/** The delivery without its body. */
function requestOf({ target, exchange, headers, known, identity }: Delivery): KeptRequest {
  return {
    contentType: exchange.request.headers.get('content-type'),
    query: target.search,
    headers: withoutSecret(headers.all, known.hook.auth),
    ...(identity && { identity: { key: identity.key, signedAt: identity.signedAt.toISOString() } }),
  };
}

export function tooManyKept(): Problem<'TOO_MANY_REQUESTS'> {
  return tooMany('the project keeps too many messages', QUOTA_RETRY_SECONDS);
}

/** A second time, if the hook was changed between its authentication and the transaction. */
export async function repeatIfChanged(delivery: Delivery, host: HookHost): Promise<Response | undefined> {
  if (delivery.recorded !== undefined) return undefined;
  host.known.forget(delivery.target.hookID);
  return takeSteps(repeatedSteps, delivery, host);
}

const repeatedSteps: readonly Step<Delivery, HookHost>[] = [authenticate, evaluate, record, respond];

export async function respond({ recorded, known }: Delivery, { context }: HookHost): Promise<Response> {
  if (recorded === undefined) return unavailable('the hook is being changed', UNAVAILABLE_RETRY_SECONDS);
  const { outcome, publicationID, channel } = recorded;
  await matchNow(context, known.hook.projectID, channel);
  return { status: 200, body: { outcome, ...(publicationID !== undefined && { publicationID }) } };
}

/** The message is stored, so a failure to match it only delays it: the outbox relay delivers it then. */
export async function matchNow(
  { store, logger }: Pick<HookHost['context'], 'store' | 'logger'>,
  projectID: string,
  channel: string | undefined,
): Promise<void> {
  if (channel === undefined) return;
  await matchChannel(store, { projectID, channel }, false).catch((error: unknown) =>
    logger.warn({ error: loggableError(error) }, 'message of a hook not matched yet'),
  );
}
