/** Recorded messages and signals: each goes to the subscription that its counterpart took, else to the oldest like it. */
import { equalJson } from '@perdure/engine/contract/json.js';
import type { State } from '@perdure/engine/state/state.js';
import type { Input, Past } from './past.js';
import type { Stop } from '../trail.js';

export interface Publication {
  readonly input: Input;
  /** The recorded subscription that took it. */
  readonly stop: Stop;
}

export class Publications {
  /** Open subscriptions of the candidate, oldest first, with their counterparts. */
  readonly #open = new Map<Stop, Stop | undefined>();
  readonly #byCounterpart = new Map<Stop, Stop>();
  /** Recorded subscriptions whose message is still to come. */
  readonly #coming = new Set<Stop>();
  /** Publications that found no subscription when they came. */
  #kept: Publication[] = [];
  /** Signals reach every subscription once. */
  readonly #reached = new Set<string>();

  constructor({ publications }: Past) {
    for (const { stop } of publications) this.#coming.add(stop);
  }

  /** @returns what was kept for it */
  open(stop: Stop, recorded: Stop | undefined): Publication | undefined {
    this.#open.set(stop, recorded);
    if (recorded) this.#byCounterpart.set(recorded, stop);
    const own = this.#kept.find((kept) => kept.stop === recorded);
    const found =
      own ?? (recorded && this.#coming.has(recorded) ? undefined : this.#kept.find((kept) => isLike(stop, kept.stop)));
    this.#kept = this.#kept.filter((kept) => kept !== found);
    return found;
  }

  /** The subscriptions that take it; it is kept if no subscription does. */
  takersOf(publication: Publication, state: State): Stop[] {
    const { stop: recorded } = publication;
    this.#coming.delete(recorded);
    for (const stop of this.#open.keys()) if (!state.waits[stop.id]) this.#open.delete(stop);
    const taker = this.#takerOf(recorded);
    const takers = [...(taker ? [taker] : []), ...this.#othersOf(publication, taker)];
    if (takers.length === 0) this.#kept.push(publication);
    return takers;
  }

  #takerOf(recorded: Stop): Stop | undefined {
    const own = this.#byCounterpart.get(recorded);
    if (own && this.#open.has(own)) return own;
    for (const [stop, counterpart] of this.#open)
      if (isLike(stop, recorded) && !(counterpart && this.#coming.has(counterpart))) return stop;
    return undefined;
  }

  /** A signal reaches also the subscriptions that only the candidate has. */
  #othersOf({ input, stop: recorded }: Publication, taker: Stop | undefined): Stop[] {
    const { what } = input;
    if (what.kind !== 'command' || what.command.kind !== 'DELIVER_SIGNAL') return [];
    const { publicationID } = what.command;
    return [...this.#open].flatMap(([stop, counterpart]) => {
      const key = `${publicationID} ${stop.visit.place} ${stop.node}`;
      if (stop === taker || counterpart || !isLike(stop, recorded) || this.#reached.has(key)) return [];
      this.#reached.add(key);
      return [stop];
    });
  }
}

function isLike({ event: one }: Stop, { event: other }: Stop): boolean {
  if (!one || !other || one.type !== other.type || one.name !== other.name) return false;
  if (one.correlation === undefined || other.correlation === undefined) return one.correlation === other.correlation;
  return equalJson(one.correlation, other.correlation);
}
