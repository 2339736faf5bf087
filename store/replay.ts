/**
 * An instance as it was: its facts folded by the code that the engine itself changes state with.
 */
import { apply } from '../engine/apply.js';
import type { Fact } from '../engine/facts.js';
import { newState, type State } from '../engine/state.js';
import { rows, type Queryable } from './database.js';

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
  const parks = await parksUpTo(database, workflowID, at);
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

interface ParkRow {
  factsBefore: number;
  inputs: { now: number };
  facts: Fact[];
  /** Of the first row only: it stands for the facts up to its end. */
  snapshot: State | null;
  last: number;
}

/** From the last park whose snapshot lies before the end of fact `at`, or from the first park. */
async function parksUpTo(database: Queryable, workflowID: string, at: number | undefined): Promise<ParkRow[]> {
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
       AND ($2::integer IS NULL OR p.facts_before < greatest($2, 1))
     ORDER BY p.number`,
    [workflowID, at ?? null],
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
