/** Who gets which message and signal: the rules of the store, in memory. */
import { equalJson, type Json, type Variables } from '../engine/json.js';
import type { SubscriptionWait } from '../engine/state.js';

export interface Publication {
  id: string;
  type: 'message' | 'signal';
  name: string;
  correlation?: Json;
  variables: Variables;
  /** Epoch milliseconds. */
  expires: number;
  /** Instances that have had it. */
  reached: Set<string>;
}

/** An object correlates when every member of the subscription's object equals the message's; everything else by type and value. */
export function matches(publication: Publication, wait: SubscriptionWait): boolean {
  if (publication.type !== wait.type || publication.name !== wait.name) return false;
  return publication.type === 'signal' || correlates(wait.correlation, publication.correlation);
}

function correlates(wanted: Json | undefined, given: Json | undefined): boolean {
  if (wanted === undefined || given === undefined) return wanted === given;
  if (!isContext(wanted) || !isContext(given)) return equalJson(wanted, given);
  return Object.entries(wanted).every(([name, item]) => Object.hasOwn(given, name) && correlates(item, given[name]));
}

function isContext(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
