/**
 * Publishing a message or signal: writes it, then delivers it to the waiting subscriptions for as long as the caller
 * waits.
 */
import type { z } from 'zod';
import type { CachedResponse, KeyedRequest } from '../../../../store/projects/idempotency.js';
import type { GivenMessage } from '../../../../store/messages/claims.js';
import type { Channel } from '../../../../store/messages/correlation.js';
import { matchNow, type MatchedNow } from '../../../../store/messages/matching.js';
import {
  publicationProgress,
  publish,
  type PublicationProgress,
  type Published,
  type PublishRequest,
  type QuotaReached,
} from '../../../../store/messages/messages.js';
import { findPublication } from '../../../../store/publications/publications.js';
import type { ApiContext } from '../../../context.js';
import { withIdempotencyKey } from '../../../commands/with-idempotency-key.js';
import { problem } from '../../../contract/problem.js';
import type { Problem } from '../../../contract/problem.js';
import { toPublication } from './publication.js';
import type { publication } from './schemas.js';

type Body = z.output<typeof publication>;

/** 200 when every waiting subscription has received it, 202 when deliveries are still pending. */
export type PublicationAnswer =
  { readonly status: 200; readonly body: Body } | { readonly status: 202; readonly body: Body };

const RETRY_AFTER_SECONDS = '10';

/** A message or signal to publish. */
export type Publishing = Omit<PublishRequest, 'variables'> & {
  readonly variables: PublishRequest['variables'] | undefined;
};

export async function publishOnce(
  context: ApiContext,
  publishing: Publishing,
  headers: { readonly idempotency: KeyedRequest | undefined; readonly waitMilliseconds: number },
): Promise<PublicationAnswer | Problem<'TOO_MANY_REQUESTS'>> {
  const request = { ...publishing, variables: publishing.variables ?? {} };
  const result = await withIdempotencyKey<Published, QuotaReached>(context, headers.idempotency, async (database) => {
    const published = await publish(database, request);
    if (published.kind === 'quota') return { kind: 'nothing', refused: published };
    return { kind: 'done', effect: published, answer: { status: 200, body: toPublication(published.publication) } };
  });
  if (result.kind === 'nothing') return quotaProblem(result.refused);
  const { publication: published } = result.effect;
  const reached = await reach(context, request.projectID, result.effect, headers.waitMilliseconds);
  const body = await present(context, request.projectID, toPublication(published));
  return reached ? { status: 200, body } : { status: 202, body };
}

/** The response to a repeat: the publication as it is now. */
export async function publishedBefore(
  { context, params: { projectID } }: { context: ApiContext; params: { readonly projectID: string } },
  first: CachedResponse,
): Promise<PublicationAnswer> {
  return { status: 200, body: await present(context, projectID, first.body as Body) };
}

/** As it is now, or as it was published if it ended more than a day ago. */
async function present({ store }: ApiContext, projectID: string, published: Body): Promise<Body> {
  const found = await findPublication(store, projectID, published.publicationID);
  return found ? toPublication(found) : published;
}

function quotaProblem({ limit }: QuotaReached): Problem<'TOO_MANY_REQUESTS'> {
  return problem(
    'TOO_MANY_REQUESTS',
    `The project already keeps ${limit} messages that nothing has consumed. Retry after some are consumed or expire.`,
    {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    },
  );
}

/** @returns whether the message was matched, and the instance that took it has handled it */
async function reach(
  context: ApiContext,
  projectID: string,
  { publication: { publicationID }, channel: name }: Published,
  waitMilliseconds: number,
): Promise<boolean> {
  const deadline = performance.now() + waitMilliseconds;
  const channel = { projectID, channel: name };
  let isFirst = true;
  const match = async () => {
    const found = isFirst ? undefined : await matchedProgress(context, publicationID);
    isFirst = false;
    return found ?? matchUntil(context, channel, publicationID, deadline);
  };
  const reached = await context.notifications.awaitMatch(channel, waitMilliseconds, match);
  if (reached === undefined) return false;
  return reached.claim === undefined || isHandled(context, reached, deadline - performance.now());
}

/** A publication that is matched, and its command if this request has not delivered it yet. */
type Reached = PublicationProgress & { readonly undelivered?: GivenMessage };

/**
 * Matches the channel until the publication is among the matched ones. Undefined if another request or the outbox relay
 * matches the channel: pool connections must not be spent on waiting.
 */
async function matchUntil(
  context: ApiContext,
  channel: Channel,
  publicationID: string,
  deadline: number,
): Promise<Reached | undefined> {
  for (;;) {
    const found = await matchNow(context.store, channel);
    deliverOthers(context, found, publicationID);
    const reached = found.messages.has(publicationID)
      ? reachedNow(found.messages.get(publicationID))
      : await matchedProgress(context, publicationID);
    if (reached !== undefined || found.matched !== 'more' || performance.now() >= deadline) return reached;
  }
}

/** Not awaited: the outbox relay resends what does not arrive. */
function deliverOthers({ instances }: ApiContext, { messages }: MatchedNow, publicationID: string): void {
  for (const [id, given] of messages)
    if (given && id !== publicationID) void instances.deliver(given.workflowID, given.command, given.delivery);
}

function reachedNow(given: GivenMessage | undefined): Reached {
  if (given === undefined) return { matched: true };
  const { workflowID, command, waitsForResume } = given;
  return { matched: true, claim: { workflowID, command: command.number, waitsForResume }, undelivered: given };
}

/** Undefined if the publication is not matched yet. */
async function matchedProgress({ store }: ApiContext, publicationID: string): Promise<PublicationProgress | undefined> {
  const progress = await publicationProgress(store, publicationID);
  return progress.matched || progress.claim !== undefined ? progress : undefined;
}

async function isHandled(
  { store, instances, notifications }: ApiContext,
  { claim, undelivered }: Reached,
  waitMilliseconds: number,
): Promise<boolean> {
  const { workflowID, command, waitsForResume } = claim!;
  // Listen before signaling: the outcome can arrive before the signal call returns.
  const listening = notifications.awaitOutcome(
    store,
    workflowID,
    command,
    waitsForResume ? 0 : Math.max(0, waitMilliseconds),
    undelivered !== undefined,
  );
  if (undelivered) void instances.deliver(workflowID, undelivered.command, undelivered.delivery);
  return (await listening)?.status === 'APPLIED';
}
