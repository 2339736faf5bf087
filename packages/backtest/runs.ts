/** Both runs of one instance as lists of visits, so that a person can follow them next to each other. */
import type { Visit } from './trail.js';

/** One activation of a node. It holds names of the model and moments, and no value. */
export interface RunVisit {
  readonly nodeID: string;
  /** Epoch milliseconds: as recorded, or in the virtual time of the version. */
  readonly at: number;
  /** The sequence flows whose tokens it took. */
  readonly flows: readonly string[];
  /** Number of its fact in the run, from 1. */
  readonly fact: number;
  /** How many visits the run had when this one ended; undefined if it never ended. */
  readonly endedAfter?: number;
  /** Number of the same visit in the other run, from 1; undefined if that one does not have it, or not within the limit. */
  readonly counterpart?: number;
}

export interface Run {
  /** In the order of the run, without the process itself. */
  readonly visits: readonly RunVisit[];
  /** Whether the run has more. */
  readonly truncated: boolean;
}

export interface Runs {
  readonly before: Run;
  readonly after: Run;
}

/** The visits of each run that are listed. */
export const MAX_VISITS = 2_000;

export function runsOf(before: readonly Visit[], after: readonly Visit[]): Runs {
  const [one, other] = [listed(before), listed(after)];
  return { before: runOf(before, one, numbersOf(other)), after: runOf(after, other, numbersOf(one)) };
}

function listed(visits: readonly Visit[]): readonly Visit[] {
  return visits.slice(1, 1 + MAX_VISITS);
}

function numbersOf(visits: readonly Visit[]): ReadonlyMap<number, number> {
  return new Map(visits.map(({ place, order }) => [place, order]));
}

function runOf(all: readonly Visit[], visits: readonly Visit[], others: ReadonlyMap<number, number>): Run {
  return {
    visits: visits.map(({ node: nodeID, at, flows, fact, endedAfter, place }) => {
      const counterpart = others.get(place);
      return {
        nodeID,
        at,
        flows,
        fact,
        // The process itself is the first visit.
        ...(endedAfter !== undefined && { endedAfter: endedAfter - 1 }),
        ...(counterpart !== undefined && { counterpart }),
      };
    }),
    truncated: all.length > 1 + visits.length,
  };
}
