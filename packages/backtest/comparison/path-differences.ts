/** Where two runs part. Branches are compared by their causes, so their order among each other does not matter. */
import type { Trail, Visit } from '../trail.js';

export interface Difference {
  /** The last common visit, as the candidate has it. */
  readonly after: Visit;
  /** Next visits of the recorded run only. */
  readonly expected: Visit[];
  /** Next visits of the candidate only. */
  readonly found: Visit[];
  /** The moment of the first of them, in epoch milliseconds. */
  at: number;
}

export class PathDifferences {
  readonly #recorded: ReadonlyMap<number, Visit>;
  readonly #candidate: ReadonlyMap<number, Visit>;
  readonly #differences = new Map<number, Difference>();

  constructor(recorded: Trail, candidate: Trail) {
    this.#recorded = byPlace(recorded);
    this.#candidate = byPlace(candidate);
    for (const visit of candidate.visits) if (!this.#recorded.has(visit.place)) this.#note(visit, 'found');
    for (const visit of recorded.visits) if (!this.#candidate.has(visit.place)) this.#note(visit, 'expected');
  }

  /** In the order of the run; at the same moment that whose last common visit comes first. */
  get first(): Difference | undefined {
    let first: Difference | undefined;
    for (const difference of this.#differences.values())
      if (
        !first ||
        difference.at < first.at ||
        (difference.at === first.at && difference.after.order < first.after.order)
      )
        first = difference;
    return first;
  }

  /** Whether only the candidate has this visit. */
  isOnlyFound({ place }: Visit): boolean {
    return !this.#recorded.has(place);
  }

  /** Consequences of an earlier difference are not counted again. */
  #note(visit: Visit, side: 'expected' | 'found'): void {
    const causes = visit.causes.map(({ place }) => this.#candidate.get(place));
    if (!causes.every((cause) => cause && this.#recorded.has(cause.place))) return;
    for (const after of causes) {
      const known = this.#differences.get(after!.place);
      const difference = known ?? { after: after!, expected: [], found: [], at: visit.at };
      difference[side].push(visit);
      difference.at = Math.min(difference.at, visit.at);
      if (!known) this.#differences.set(after!.place, difference);
    }
  }
}

/** The number of a visit among those of its node, from 1. The inner instances of a loop are counted apart from it. */
export function occurrenceOf({ visits }: Trail, { node, place, scope }: Visit): number {
  const isInside = scope?.node === node;
  let count = 0;
  for (const visit of visits) {
    if (visit.node !== node || (visit.scope?.node === node) !== isInside) continue;
    count += 1;
    if (visit.place === place) return count;
  }
  return count;
}

function byPlace({ visits }: Trail): Map<number, Visit> {
  return new Map(visits.map((visit) => [visit.place, visit]));
}
