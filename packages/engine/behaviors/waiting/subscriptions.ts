/** Subscriptions: the criteria that a message or signal must match to reach an element instance. */
import type { Json } from '../../contract/json.js';
import { nextID, record, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';

interface SubscriptionKey {
  type: 'message' | 'signal';
  name: string;
  correlation?: Json;
}

/** @param node the catching event */
export function openSubscription(
  run: Run,
  element: ElementInstance,
  node: string,
  { type, name, correlation }: SubscriptionKey,
): void {
  record(run, {
    kind: 'SUBSCRIPTION_OPENED',
    subscription: nextID(run),
    element: element.id,
    node,
    type,
    name,
    ...(correlation !== undefined && { correlation }),
  });
}
