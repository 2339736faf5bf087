/**
 * An instance as it was: its facts folded by the code that the engine itself changes state with.
 */
import { apply } from '../engine/apply.js';
import type { Fact } from '../engine/facts.js';
import { newState, type State } from '../engine/state.js';
import { rows, type Queryable } from './database.js';
import type { Page, PageRequest } from './page.js';

/** The facts of one park. */
export interface RecordedPark {
  /** Facts of the instance before it. */
  factsBefore: number;
  /** Epoch milliseconds. */
  now: number;
  facts: Fact[];
}

export interface Replayed {
  state: State;
  /** Facts folded; 0 is the instance before anything happened. */
  at: number;
  /** Facts there are in all. */
  last: number;
  /** The last fact folded and its time in epoch milliseconds; absent before the first. */
  fact?: { fact: Fact; now: number };
}

/**
 * The state after fact number `at`, or after the last one when `at` is absent or beyond it. Read from the nearest
 * snapshot on. An instance without parks is in the state before anything has happened.
 */
export async function stateAt(database: Queryable, workflowID: string, at?: number): Promise<Replayed> {
  const parks = await parksBetween(database, workflowID, at, at);
  const last = parks[0]?.last ?? 0;
  const end = Math.min(at ?? last, last);
  let state = newState(workflowID);
  let folded: Replayed['fact'];
  for (const { snapshot, factsBefore, inputs, facts } of parks) {
    if (snapshot) state = snapshot;
    for (const fact of facts.slice(0, end - factsBefore)) {
      if (!snapshot) apply(state, fact, inputs.now);
      folded = { fact, now: inputs.now };
    }
  }
  return { state, at: end, last, ...(folded && { fact: folded }) };
}

/** One fact and what it led to. */
export interface FoldedFact {
  /** Its number, from 1. */
  at: number;
  fact: Fact;
  /** Epoch milliseconds. */
  now: number;
  /** After it; what is folded next changes it. */
  state: State;
}

/**
 * One page of the facts of an instance, in the order in which they happened.
 * @param describe called with each fact of the page before the next one is folded
 */
export async function listFacts<Described>(
  database: Queryable,
  workflowID: string,
  { page, pageSize }: PageRequest,
  describe: (folded: FoldedFact) => Described,
): Promise<Page<Described>> {
  const before = (page - 1) * pageSize;
  const parks = await parksBetween(database, workflowID, before, before + pageSize);
  const data: Described[] = [];
  let state = newState(workflowID);
  for (const { snapshot, factsBefore, inputs, facts } of parks) {
    if (snapshot) {
      state = snapshot;
      continue;
    }
    for (const [index, fact] of facts.slice(0, before + pageSize - factsBefore).entries()) {
      apply(state, fact, inputs.now);
      const at = factsBefore + index + 1;
      if (at > before) data.push(describe({ at, fact, now: inputs.now, state }));
    }
  }
  return { data, total: parks[0]?.last ?? 0 };
}

interface ParkRow {
  factsBefore: number;
  inputs: { now: number };
  facts: Fact[];
  /** Of the first row only: it stands for the facts up to its end. */
  snapshot: State | null;
  last: number;
}

/** From the last park whose snapshot stands for no fact after number `from`, or from the first park, to that of fact number `to`. */
async function parksBetween(database: Queryable, workflowID: string, from: number | undefined, to: number | undefined): Promise<ParkRow[]> {
  return rows<ParkRow>(
    database,
    `WITH base AS (
       SELECT number FROM parks
       WHERE workflow_id = $1 AND snapshot IS NOT NULL AND ($2::integer IS NULL OR facts_before + fact_count <= $2)
       ORDER BY number DESC LIMIT 1
     )
     SELECT p.facts_before AS "factsBefore", p.inputs, p.facts, CASE WHEN p.number = base.number THEN p.snapshot END AS snapshot,
       i.fact_count AS last
     FROM parks p JOIN instances i USING (workflow_id) LEFT JOIN base ON true
     WHERE p.workflow_id = $1 AND p.number >= coalesce(base.number, 1)
       AND ($3::integer IS NULL OR p.facts_before < greatest($3, 1))
     ORDER BY p.number`,
    [workflowID, from ?? null, to ?? null],
  );
}

/** Every fact of an instance, park by park. */
export async function readParks(database: Queryable, workflowID: string): Promise<RecordedPark[]> {
  return rows<RecordedPark>(
    database,
    `SELECT facts_before AS "factsBefore", (inputs ->> 'now')::float8 AS now, facts FROM parks WHERE workflow_id = $1 ORDER BY number`,
    [workflowID],
  );
}
