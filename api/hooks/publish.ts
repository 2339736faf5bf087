/** The change that a delivery makes: one transaction with its publication, its idempotency key, and its row. */
import { parseTimeToLive } from '@perdure/engine/time/time-to-live.js';
import { sha256 } from '@perdure/lib/sha256.js';
import { isUnchanged, recordDelivery, type DeliveryOutcome } from '../../store/hooks/deliveries.js';
import type { Hook } from '../../store/hooks/hooks.js';
import { publish, type QuotaReached } from '../../store/messages/messages.js';
import { idempotencyStore } from '../../store/projects/idempotency.js';
import type { Transaction } from '../../store/sql/database.js';
import { MAX_NAMES } from '../audit/draft.js';
import type { ApiContext } from '../context.js';
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

export interface Delivered {
  readonly hook: Hook;
  readonly evaluated: EvaluatedHook;
  /** The beginning of the body, kept if the delivery failed. */
  readonly excerpt: string;
  readonly requestID: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export async function recordDelivered({ store }: Pick<ApiContext, 'store'>, delivered: Delivered): Promise<Result> {
  const { hook, evaluated, excerpt } = delivered;
  try {
    return await store.transaction(async (transaction) => {
      if (!(await isUnchanged(transaction, hook))) return { kind: 'changed' };
      if (evaluated.kind === 'message') return publishFor(transaction, delivered, evaluated);
      if (evaluated.kind === 'ignored') {
        await recordDelivery(transaction, hook, { outcome: 'IGNORED' });
        return { kind: 'recorded', outcome: 'IGNORED' };
      }
      const { problem } = evaluated;
      await recordDelivery(transaction, hook, { outcome: 'FAILED', problem, body: excerpt });
      return { kind: 'recorded', outcome: 'FAILED', problem };
    });
  } catch (error) {
    if (error instanceof Quota) return error.reached;
    throw error;
  }
}

/** Rolls back the idempotency key of a message that was not published; never leaves this file. */
class Quota extends Error {
  constructor(readonly reached: QuotaReached) {
    super('the project keeps too many messages');
  }
}

async function publishFor(
  transaction: Transaction,
  { hook, requestID, now }: Delivered,
  { name, correlation, variables, idempotencyKey }: HookMessage,
): Promise<Recorded> {
  const key = idempotencyKey === undefined ? undefined : keyOf(hook, idempotencyKey);
  const claim = key && (await idempotencyStore.claim(transaction, key));
  if (claim && claim.kind === 'repeated') {
    const { publicationID } = claim.answer.body as { publicationID: string };
    await recordDelivery(transaction, hook, { outcome: 'REPEATED', publicationID });
    return { kind: 'recorded', outcome: 'REPEATED', publicationID };
  }
  const published = await publish(transaction, {
    projectID: hook.projectID,
    type: 'message',
    name,
    correlation,
    variables,
    ttl: hook.ttl === null ? undefined : parseTimeToLive(hook.ttl, now),
    publishedBy: publisherOf(hook),
    audit: {
      actor: publisherOf(hook),
      actorType: 'HOOK',
      via: 'HOOK',
      operation: 'PublishBpmnMessage',
      requestID,
      hookID: hook.hookID,
      names: Object.keys(variables).slice(0, MAX_NAMES),
    },
  });
  if (published.kind === 'quota') throw new Quota(published);
  const { publicationID } = published.publication;
  if (key) await idempotencyStore.remember(transaction, key, { status: 200, body: { publicationID } });
  await recordDelivery(transaction, hook, { outcome: 'PUBLISHED', publicationID });
  return { kind: 'recorded', outcome: 'PUBLISHED', publicationID, channel: published.channel };
}

/** Prefixed, so that it cannot be mistaken for a person or a service account. */
function publisherOf({ hookID }: Hook): string {
  return `hook:${hookID}`;
}

/** Deliveries with the same key are repeats, whatever else they contain. */
function keyOf({ projectID, hookID }: Hook, idempotencyKey: string) {
  // Hashed, because a sender can use personal data as a key.
  return { projectID, operationID: 'ReceiveWebhook', subject: hookID, key: sha256(idempotencyKey), fingerprint: '' };
}
