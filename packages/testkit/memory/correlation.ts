/** Correlation of messages and signals: the rules of the store, in memory. */
import { equalJson, type Json, type Variables } from '@perdure/engine/contract/json.js';
import { unfolded, type Fact } from '@perdure/engine/contract/facts.js';
import type { SubscriptionWait, Wait } from '@perdure/engine/state/state.js';
import type { MemoryInstance } from './instance.js';

export interface Publication {
  id: string;
  type: 'message' | 'signal';
  name: string;
  correlation?: Json;
  variables: Variables;
  /** Epoch milliseconds. */
  expires: number;
  /** Instances that have received it. */
  reached: Set<string>;
  /** Processes that a signal would have started if they had not been suspended. */
  deferredFor: Set<string>;
}

/** An open subscription. */
export interface Subscriber {
  instance: MemoryInstance;
  wait: SubscriptionWait;
}

/** Subscriptions of all instances in the order in which they were opened. */
export class Subscribers {
  readonly #positions = new Map<string, number>();

  /** Appends the subscriptions opened by a step to the existing ones. */
  note(workflowID: string, facts: readonly Fact[]): void {
    for (const fact of unfolded(facts))
      if (fact.kind === 'SUBSCRIPTION_OPENED')
        this.#positions.set(`${workflowID} ${fact.subscription}`, this.#positions.size);
  }

  /** Appends those among the waits. */
  open(workflowID: string, waits: readonly Wait[]): void {
    for (const { kind, id } of waits)
      if (kind === 'subscription') this.#positions.set(`${workflowID} ${id}`, this.#positions.size);
  }

  /** Longest waiting first. */
  oldestFirst(instances: Iterable<readonly [string, MemoryInstance]>): Subscriber[] {
    const open = [...instances].flatMap(([, instance]) =>
      Object.values(instance.state.waits).flatMap((wait) => (wait.kind === 'subscription' ? [{ instance, wait }] : [])),
    );
    return open.sort((one, other) => this.#positionOf(one) - this.#positionOf(other));
  }

  #positionOf({ instance, wait }: Subscriber): number {
    return this.#positions.get(`${instance.workflowID} ${wait.id}`) ?? -1;
  }
}

/**
 * An object correlates if every member of the subscription's object equals the message's; all other values are compared
 * by type and value.
 */
export function matches(publication: Publication, wait: SubscriptionWait): boolean {
  if (publication.type !== wait.type || publication.name !== wait.name) return false;
  return publication.type === 'signal' || correlates(wait.correlation, publication.correlation);
}

/**
 * One publication for each of `wanted`, including `arriving`, in order; undefined while any is missing. Messages belong
 * together if their correlations are equal, and a signal is used once.
 * @param user records that it has used a signal
 */
export function arrivedTogether(
  wanted: readonly Pick<Publication, 'type' | 'name'>[],
  arriving: Publication,
  kept: readonly Publication[],
  user: string,
): Publication[] | undefined {
  const available = [arriving, ...kept].filter(({ reached }) => !reached.has(user));
  const anchors = arriving.type === 'message' ? [arriving] : available.filter(({ type }) => type === 'message');
  for (const anchor of anchors.length > 0 ? anchors : [arriving]) {
    const found: Publication[] = [];
    for (const { type, name } of wanted) {
      const next = available.find(
        (each) =>
          each.type === type &&
          each.name === name &&
          !found.includes(each) &&
          (type === 'signal' || isEqual(each.correlation, anchor.correlation)),
      );
      if (next) found.push(next);
    }
    if (found.length === wanted.length && found.includes(arriving)) return found;
  }
  return undefined;
}

function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalJson(a, b);
}

function correlates(wanted: Json | undefined, given: Json | undefined): boolean {
  if (wanted === undefined || given === undefined) return wanted === given;
  if (!isContext(wanted) || !isContext(given)) return equalJson(wanted, given);
  return Object.entries(wanted).every(([name, item]) => Object.hasOwn(given, name) && correlates(item, given[name]));
}

function isContext(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
