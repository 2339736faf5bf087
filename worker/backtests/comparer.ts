/** Compares one instance after another in a thread, and brings what the thread asks for. */
import type { Logger } from 'pino';
import { inThreads, type InThread } from '@perdure/lib/in-threads.js';
import { findBoundDecision, findUsedDecision } from '../../store/backtests/decisions.js';
import { readRecordedInstance } from '../../store/backtests/recorded-instances.js';
import {
  candidateGraph,
  type BacktestTurn,
  type ComparedItem,
  type ItemToCompare,
} from '../../store/backtests/turns.js';
import type { Database } from '../../store/sql/database.js';
import { graphText } from '../../store/steps/graphs.js';
import { compareWith, Known, type Compared, type DecisionNeed, type Given, type Work } from './compare.js';

const THREADS = {
  name: 'backtests',
  size: 1,
  timeoutMs: 60_000,
  heapMB: 512,
  bytesOf: () => 0,
};

/** An instance that needs more versions of graphs and decisions than this is not compared. */
const MAX_NEEDS = 50;

const reasons = {
  gone: 'The instance was removed',
  tooLarge: 'The history of the instance is too large to compare',
  tooLong: 'The comparison takes too much time or memory',
  failed: 'The instance could not be compared',
};

/** @returns undefined if the backtest has ended */
type Compare = (turn: BacktestTurn, item: ItemToCompare) => Promise<ComparedItem | undefined>;

/**
 * @param onComputed receives the time of each computation, in milliseconds
 */
export function comparer(store: Database, logger: Logger, onComputed: (milliseconds: number) => void): Compare {
  const known = new Known();
  const run: InThread<Work, Compared> = inThreads(new URL('./compare-thread.js', import.meta.url), THREADS, (work) =>
    compareWith(known, work),
  );
  const compute = async (work: Work): Promise<Compared | undefined> => {
    const began = performance.now();
    try {
      return await run(work);
    } finally {
      onComputed(performance.now() - began);
    }
  };
  return async (turn, item) => {
    const { workflowID } = item;
    const instance = await readRecordedInstance(store, turn.projectID, workflowID);
    if (instance.kind !== 'read') return skipped(item, reasons[instance.kind]);
    const { backtestID, graphSha256: candidate, definitionID } = turn;
    const isItsVersion = definitionID !== null && definitionID === instance.definitionID;
    const given: { graphs: Given['graphs'][number][]; decisions: Given['decisions'][number][] } = {
      graphs: [],
      decisions: [],
    };
    while (given.graphs.length + given.decisions.length <= MAX_NEEDS) {
      const compared = await compute({ backtestID, workflowID, candidate, isItsVersion, instance, given });
      if (compared === undefined) return skipped(item, reasons.tooLong);
      if (compared.kind === 'compared') return { ...item, item: rowOf(compared.item), flows: compared.flows };
      if (compared.kind === 'failed') {
        logger.warn({ backtestID, workflowID, error: compared.message }, 'an instance could not be compared');
        return skipped(item, reasons.failed);
      }
      for (const sha256 of compared.graphs) {
        const text = await graphOf(store, turn, sha256);
        if (text === undefined) return sha256 === candidate ? undefined : skipped(item, reasons.failed);
        given.graphs.push([sha256, text]);
      }
      for (const need of uniqueNeeds(compared.decisions))
        given.decisions.push([need, await decisionFor(store, turn, need)]);
    }
    return skipped(item, reasons.tooLong);
  };
}

function graphOf(store: Database, { backtestID, graphSha256 }: BacktestTurn, sha256: string) {
  return sha256 === graphSha256 ? candidateGraph(store, backtestID) : graphText(store, sha256);
}

function decisionFor(store: Database, turn: BacktestTurn, need: DecisionNeed) {
  return need.kind === 'used'
    ? findUsedDecision(store, turn.projectID, need.definitionID)
    : findBoundDecision(store, turn, need);
}

function uniqueNeeds(needs: readonly DecisionNeed[]): DecisionNeed[] {
  return [...new Map(needs.map((need) => [JSON.stringify(need), need])).values()];
}

function skipped(item: ItemToCompare, reason: string): ComparedItem {
  return { ...item, item: rowOf({ workflowID: item.workflowID, outcome: 'SKIPPED', reason }), flows: {} };
}

function rowOf({
  workflowID,
  outcome,
  first,
  variables,
  durationMs,
  durationBeforeMs,
  reason,
}: Extract<Compared, { kind: 'compared' }>['item']): ComparedItem['item'] {
  return {
    workflowID,
    outcome,
    nodeID: first?.nodeID ?? null,
    occurrence: first?.occurrence ?? null,
    expected: first?.expected ? [...first.expected] : null,
    found: first?.found ? [...first.found] : null,
    variables: variables ? [...variables] : null,
    durationMs: durationMs ?? null,
    durationBeforeMs: durationBeforeMs ?? null,
    reason: reason ?? null,
  };
}
