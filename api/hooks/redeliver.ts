/** Delivers a kept delivery again, by the expressions that its hook has now. */
import { isUnchanged, lockFailedDelivery, recordRedelivery } from '../../store/hooks/deliveries.js';
import type { Delivery, KeptDelivery, KeptRequest } from '../../store/hooks/deliveries.js';
import type { Hook } from '../../store/hooks/hooks.js';
import type { Database } from '../../store/sql/database.js';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { contentOf } from './content.js';
import { textsOf } from './expressions.js';
import { withoutSecret } from './headers.js';
import type { EvaluatedHook } from './message.js';
import { Quota, takeEffect } from './publish.js';
import { evaluateInThread } from './threads.js';

/** A failed delivery whose body was kept whole. */
export type WholeDelivery = KeptDelivery & { readonly request: KeptRequest };

export function isWhole(delivery: KeptDelivery): delivery is WholeDelivery {
  return delivery.isRedeliverable;
}

/** @param now the result of `now()`, in epoch milliseconds */
export function evaluateAgain(hook: Hook, delivery: WholeDelivery, now: number, turns: Turns): Promise<EvaluatedHook> {
  const { contentType, headers, query } = delivery.request;
  const bytes = new Uint8Array(Buffer.from(delivery.body!));
  return evaluateInThread(
    {
      texts: textsOf(hook),
      content: contentOf(contentType),
      bytes: bytes.length === 0 ? undefined : bytes,
      // The hook may have another secret header than when the delivery came.
      headers: withoutSecret(headers, hook.auth),
      search: query,
      now,
    },
    turns,
  );
}

/**
 * `changed`: the hook was changed after the evaluation. `taken`: another request has delivered it, or newer failures have
 * displaced its body.
 */
export type Redelivered =
  | { readonly kind: 'redelivered'; readonly delivery: Delivery; readonly channel: string | undefined }
  | { readonly kind: 'changed' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'quota' };

/** Every result but `redelivered` has to be rolled back. */
export async function recordAgain(
  store: Database,
  hook: Hook,
  delivery: WholeDelivery,
  { evaluated, now }: { evaluated: EvaluatedHook; now: number },
): Promise<Redelivered> {
  const { hookID } = hook;
  try {
    return await store.transaction(async (transaction): Promise<Redelivered> => {
      if (!(await lockFailedDelivery(transaction, hookID, delivery))) return { kind: 'taken' };
      if (!(await isUnchanged(transaction, hook))) return { kind: 'changed' };
      const effect = { hook, evaluated, identity: identityOf(delivery), now };
      const { outcome, publicationID, problem, channel } = await takeEffect(transaction, effect, undefined);
      const recorded = await recordRedelivery(transaction, hookID, delivery.deliveryID, {
        outcome,
        publicationID,
        problem,
      });
      return { kind: 'redelivered', delivery: recorded!, channel };
    });
  } catch (error) {
    if (error instanceof Quota) return { kind: 'quota' };
    throw error;
  }
}

function identityOf({ request: { identity } }: WholeDelivery) {
  return identity && { key: identity.key, signedAt: new Date(identity.signedAt) };
}
