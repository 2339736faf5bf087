/** An instance at an earlier time: its facts folded by the same code that the engine changes state with. */
import { apply } from '@perdure/engine/apply.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { newState, type State } from '@perdure/engine/state/state.js';
import { upgradeState } from '@perdure/engine/state/upgrade.js';
import { firstRow, type Queryable, type Database, type Transaction } from '../sql/database.js';
import { atOneMoment, now, stepWith, stepsBetween } from './recorded-steps.js';
import type { Page, PageRequest } from '../sql/page.js';

export interface Replayed {
  state: State;
  /** Number of facts folded; 0 is the initial state. */
  at: number;
  /** Total number of facts. */
  last: number;
  /** The last fact folded and its time in epoch milliseconds; absent before the first. */
  fact?: { fact: Fact; now: number };
}

/**
 * The state after fact number `at`, or after the last one if `at` is absent or larger. Read from the nearest snapshot
 * on. An instance without step commits has the initial state.
 */
export async function stateAt(database: Database, workflowID: string, at = Infinity): Promise<Replayed> {
  return atOneMoment(database, (moment) => replay(moment, workflowID, at));
}

/** The state after the step that has fact number `at`, which is a state from which an instance can continue. */
export async function stateAfterStep(database: Database, workflowID: string, at = Infinity): Promise<Replayed> {
  return atOneMoment(database, (moment) => replay(moment, workflowID, at, { wholeSteps: true }));
}

async function replay(
  moment: Transaction,
  workflowID: string,
  at: number,
  { wholeSteps = false } = {},
): Promise<Replayed> {
  const last = await countFacts(moment, workflowID);
  let end = Math.min(at, last);
  const { state, number, fact } = await nearestSnapshot(moment, workflowID, end);
  let folded = fact;
  const lastStep = end === 0 ? 0 : await stepWith(moment, workflowID, 'facts', end - 1);
  for await (const step of stepsBetween(moment, workflowID, number + 1, lastStep)) {
    const facts = wholeSteps ? step.facts : step.facts.slice(0, end - step.factsBefore);
    end = Math.max(end, step.factsBefore + facts.length);
    for (const fact of facts) {
      apply(state, fact, step.now);
      folded = { fact, now: step.now };
    }
  }
  return { state, at: end, last, ...(folded && { fact: folded }) };
}

/** One fact and its effect. */
export interface FoldedFact {
  /** Its number, from 1. */
  at: number;
  fact: Fact;
  /** Epoch milliseconds. */
  now: number;
  /** The state after it, which changes when the next fact is folded. */
  state: State;
}

/**
 * One page of the facts of an instance, in order.
 * @param describe called with each fact of the page before the next one is folded
 */
export async function listFacts<Described>(
  database: Database,
  workflowID: string,
  { page, pageSize }: PageRequest,
  describe: (folded: FoldedFact) => Described,
): Promise<Page<Described>> {
  const before = (page - 1) * pageSize;
  return atOneMoment(database, async (moment) => {
    const total = await countFacts(moment, workflowID);
    const end = Math.min(before + pageSize, total);
    const data: Described[] = [];
    if (before >= total) return { data, total };
    const { state, number } = await nearestSnapshot(moment, workflowID, before);
    const lastStep = await stepWith(moment, workflowID, 'facts', end - 1);
    for await (const step of stepsBetween(moment, workflowID, number + 1, lastStep)) {
      for (const [index, fact] of step.facts.slice(0, end - step.factsBefore).entries()) {
        apply(state, fact, step.now);
        const at = step.factsBefore + index + 1;
        if (at > before) data.push(describe({ at, fact, now: step.now, state }));
      }
    }
    return { data, total };
  });
}

async function countFacts(database: Queryable, workflowID: string): Promise<number> {
  const instance = await firstRow<{ facts: number }>(
    database,
    'SELECT fact_count AS facts FROM instances WHERE workflow_id = $1',
    [workflowID],
  );
  return instance?.facts ?? 0;
}

/**
 * The last snapshot that includes no fact after number `at`, or the initial state, with the number and last fact of its
 * commit.
 */
async function nearestSnapshot(
  database: Queryable,
  workflowID: string,
  at: number,
): Promise<{ state: State; number: number; fact?: Replayed['fact'] }> {
  const last = at === 0 ? 0 : await stepWith(database, workflowID, 'facts', at - 1);
  const base = await firstRow<{ number: number; snapshot: State; facts: Fact[]; now: number }>(
    database,
    `SELECT number, snapshot, facts, ${now} AS now FROM steps
     WHERE workflow_id = $1 AND number <= $2 AND snapshot IS NOT NULL AND facts_before + fact_count <= $3 ORDER BY number DESC LIMIT 1`,
    [workflowID, last, at],
  );
  if (!base) return { state: newState(workflowID), number: 0 };
  const fact = base.facts.at(-1);
  return { state: upgradeState(base.snapshot), number: base.number, ...(fact && { fact: { fact, now: base.now } }) };
}
