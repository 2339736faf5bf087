/** The run of a version as positions around its first difference. A person can continue it from there. */
import { apply } from '@perdure/engine/apply.js';
import { hasWork } from '@perdure/engine/behaviors/flow/tokens.js';
import { copyState, type State } from '@perdure/engine/state/state.js';
import type { First } from './comparison/outcome.js';
import type { TakenStep } from './play.js';

export interface Position {
  /** Epoch milliseconds of virtual time. */
  readonly now: number;
  /** How many visits have begun, without the process itself. */
  readonly visits: number;
  readonly state: State;
  /** The run cannot be continued from here: in the middle of a step, or where a decision has no answer yet. */
  readonly isInside?: true;
}

export interface Positions {
  readonly positions: readonly Position[];
  /** Index of the position at which the node of the first difference begins; the last one without it. */
  readonly at: number;
}

/** Positions that are kept before the first difference, and after it. */
const MAX_ASIDE = 50;
/** Length of all states as JSON, except that of the difference. */
const MAX_CHARACTERS = 8_000_000;

/** Receives each step of a run. */
export class PositionsAround {
  readonly #first: First | undefined;
  readonly #kept: Position[] = [];
  #at: number | undefined;
  #occurrences = 0;
  /** The process itself is the first one. */
  #visits = -1;

  constructor(first: First | undefined) {
    this.#first = first;
  }

  note({ before, after, facts, now }: TakenStep): void {
    const state = copyState(before);
    let last: Position | undefined;
    for (const fact of facts) {
      apply(state, fact, now);
      if (fact.kind === 'ELEMENT_ACTIVATED') last = this.#visit(fact.node, { now, state });
    }
    if (facts.length === 0) return;
    // The end of the step says more about its last visit.
    if (last !== undefined && this.#kept.at(-1) === last) this.#kept.pop();
    this.#keep({ now, visits: this.#visits, state: after, ...(isBetween(after) && { isInside: true }) });
  }

  all(): Positions {
    const at = this.#at ?? this.#kept.length - 1;
    const sizes = this.#kept.map(({ state }) => JSON.stringify(state).length);
    let size = sizes.reduce((sum, each) => sum + each, 0);
    let [from, to] = [0, this.#kept.length];
    while (size > MAX_CHARACTERS && to - from > 1) size -= at - from >= to - 1 - at ? sizes[from++]! : sizes[--to]!;
    return { positions: this.#kept.slice(from, to), at: at - from };
  }

  #visit(nodeID: string, { now, state }: { now: number; state: State }): Position | undefined {
    this.#visits += 1;
    if (this.#visits === 0) return undefined;
    const position: Position = { now, visits: this.#visits, state: copyState(state), isInside: true };
    this.#keep(position);
    if (nodeID === this.#first?.nodeID && (this.#occurrences += 1) === this.#first.occurrence)
      this.#at = this.#kept.length - 1;
    return position;
  }

  #keep(position: Position): void {
    if (this.#at === undefined && this.#kept.length > MAX_ASIDE) this.#kept.shift();
    if (this.#at === undefined || this.#kept.length <= this.#at + MAX_ASIDE) this.#kept.push(position);
  }
}

function isBetween(state: State): boolean {
  if (state.status !== 'RUNNING') return false;
  return hasWork(state) || Object.values(state.waits).some(({ kind }) => kind === 'decision');
}
