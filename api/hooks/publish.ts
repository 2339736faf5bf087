/** The change that a delivery makes: one transaction with its publication, its idempotency key, and its row. */
import { parseTimeToLive } from '@perdure/engine/time/time-to-live.js';
import { sha256 } from '@perdure/lib/sha256.js';
import type { AuditDraft } from '../../store/audit/entries.js';
import { hookActor } from '../../store/audit/machine-actors.js';
import { isUnchanged, recordDelivery, type DeliveryOutcome, type KeptRequest } from '../../store/hooks/deliveries.js';
import type { Hook } from '../../store/hooks/hooks.js';
import { publish, type QuotaReached } from '../../store/messages/messages.js';
import { idempotencyStore, type KeyedRequest, type Retention } from '../../store/projects/idempotency.js';
import type { Transaction } from '../../store/sql/database.js';
import { MAX_NAMES } from '../audit/draft.js';
import type { ApiContext } from '../context.js';
import { MAX_CLOCK_DIFFERENCE_SECONDS, type DeliveryIdentity } from './signatures.js';
import type { EvaluatedHook, HookMessage } from './message.js';

export interface Recorded {
  readonly kind: 'recorded';
  readonly outcome: DeliveryOutcome;
  readonly publicationID?: string | undefined;
  /** Why it failed. */
  readonly problem?: string;
  /** To be matched now; undefined if nothing was published. */
  readonly channel?: string;
}

/** `changed`: the hook was changed after it had authenticated the delivery. */
type Result = Recorded | QuotaReached | { readonly kind: 'changed' };

export interface Effect {
  readonly hook: Hook;
  readonly evaluated: EvaluatedHook;
  /** Undefined if its signature is valid forever. */
  readonly identity: DeliveryIdentity | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Delivered extends Effect {
  /** The beginning of the body, kept if the delivery failed. */
  readonly excerpt: string;
  /** The rest of the delivery, if the excerpt has all of the body. */
  readonly request: KeptRequest | undefined;
  readonly requestID: string;
}

export async function recordDelivered({ store }: Pick<ApiContext, 'store'>, delivered: Delivered): Promise<Result> {
  const { hook, evaluated, excerpt, request, requestID } = delivered;
  try {
    return await store.transaction(async (transaction) => {
      if (!(await isUnchanged(transaction, hook))) return { kind: 'changed' };
      const recorded = await takeEffect(transaction, delivered, entryOf(hook, evaluated, requestID));
      const { outcome, publicationID, problem } = recorded;
      const kept = outcome === 'FAILED' && { body: excerpt, request };
      await recordDelivery(transaction, hook, { outcome, publicationID, problem, ...kept });
      return recorded;
    });
  } catch (error) {
    if (error instanceof Quota) return error.reached;
    throw error;
  }
}

/**
 * Publishes the message of a delivery, unless a delivery with the same key has published one.
 * @param audit the entry of the publication; undefined if the change has an entry itself
 * @throws Quota
 */
export async function takeEffect(
  transaction: Transaction,
  effect: Effect,
  audit: AuditDraft | undefined,
): Promise<Recorded> {
  const { evaluated } = effect;
  if (evaluated.kind === 'message') return publishFor(transaction, effect, evaluated, audit);
  if (evaluated.kind === 'ignored') return { kind: 'recorded', outcome: 'IGNORED' };
  return { kind: 'recorded', outcome: 'FAILED', problem: evaluated.problem };
}

/** Rolls back the idempotency key of a message that was not published. */
export class Quota extends Error {
  constructor(readonly reached: QuotaReached) {
    super('the project keeps too many messages');
  }
}

async function publishFor(
  transaction: Transaction,
  { hook, identity, now }: Effect,
  { name, correlation, variables, idempotencyKey }: HookMessage,
  audit: AuditDraft | undefined,
): Promise<Recorded> {
  const keys = keysOf(hook, identity, idempotencyKey);
  const publishedBefore = await claimAll(transaction, keys);
  if (publishedBefore !== undefined) {
    const publicationID = publishedBefore;
    await rememberAll(transaction, keys, publicationID);
    return { kind: 'recorded', outcome: 'REPEATED', publicationID };
  }
  const published = await publish(transaction, {
    projectID: hook.projectID,
    type: 'message',
    name,
    correlation,
    variables,
    ttl: hook.ttl === null ? undefined : parseTimeToLive(hook.ttl, now),
    publishedBy: hookActor(hook.hookID),
    audit,
  });
  if (published.kind === 'quota') throw new Quota(published);
  const { publicationID } = published.publication;
  await rememberAll(transaction, keys, publicationID);
  return { kind: 'recorded', outcome: 'PUBLISHED', publicationID, channel: published.channel };
}

/** The audit entry of a publication that its sender causes. */
function entryOf({ hookID }: Hook, evaluated: EvaluatedHook, requestID: string): AuditDraft {
  return {
    actor: hookActor(hookID),
    actorType: 'HOOK',
    via: 'HOOK',
    operation: 'PublishBpmnMessage',
    requestID,
    hookID,
    names: namesIn(evaluated),
  };
}

/** Of the variables of the message. */
export function namesIn(evaluated: EvaluatedHook): string[] {
  return evaluated.kind === 'message' ? Object.keys(evaluated.variables).slice(0, MAX_NAMES) : [];
}

interface Key {
  readonly request: KeyedRequest;
  readonly retention?: Retention;
}

/**
 * Twice as long as a signature is accepted: the key is kept by the clock of Postgres, and the clock of a process may
 * differ from it by as much as that of a sender.
 */
const KEPT_SECONDS = 2 * MAX_CLOCK_DIFFERENCE_SECONDS;

/**
 * Deliveries with one of the same keys are repeats, whatever else they contain. The delivery itself is one for as long as
 * its signature is accepted: an attacker can send it again with other headers, and so with another key of the hook.
 */
function keysOf(hook: Hook, identity: DeliveryIdentity | undefined, idempotencyKey: string | undefined): Key[] {
  return [
    ...(identity === undefined
      ? []
      : [
          {
            request: keyOf(hook, 'ReceiveWebhookDelivery', identity.key),
            retention: { seconds: KEPT_SECONDS, from: identity.signedAt },
          },
        ]),
    ...(idempotencyKey === undefined ? [] : [{ request: keyOf(hook, 'ReceiveWebhook', idempotencyKey) }]),
  ];
}

function keyOf({ projectID, hookID }: Hook, operationID: string, key: string): KeyedRequest {
  // Hashed, because a sender can use personal data as a key.
  return { projectID, operationID, subject: hookID, key: sha256(key), fingerprint: '' };
}

/** @returns the publication of the delivery that had one of the keys first */
async function claimAll(transaction: Transaction, keys: readonly Key[]): Promise<string | undefined> {
  let publicationID: string | undefined;
  for (const { request, retention } of keys) {
    const claim = await idempotencyStore.claim(transaction, request, retention);
    if (claim.kind === 'repeated') publicationID ??= (claim.answer.body as { publicationID: string }).publicationID;
  }
  return publicationID;
}

async function rememberAll(transaction: Transaction, keys: readonly Key[], publicationID: string): Promise<void> {
  for (const { request } of keys)
    await idempotencyStore.remember(transaction, request, { status: 200, body: { publicationID } });
}
