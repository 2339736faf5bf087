/**
 * Compares one instance with the version of its backtest in a thread, and brings what the thread asks for. The role `worker`
 * does it for whole backtests, and the API for one instance whose runs are shown.
 */
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';
import type { BacktestedVersion } from '../store/backtests/backtests.js';
import { findBoundDecision, findUsedDecision } from '../store/backtests/decisions.js';
import { readRecordedInstance } from '../store/backtests/recorded-instances.js';
import { candidateGraph } from '../store/backtests/turns.js';
import type { Database } from '../store/sql/database.js';
import { graphText } from '../store/steps/graphs.js';
import { compareWith, Known, type Compared, type DecisionNeed, type Given, type Wanted, type Work } from './compare.js';

const HEAP_MB = 512;

/** An instance that needs more versions of graphs and decisions than this is not compared. */
const MAX_NEEDS = 50;

const reasons = {
  gone: 'The instance was removed',
  tooLarge: 'The history of the instance is too large to compare',
  tooLong: 'The comparison takes too much time or memory',
  failed: 'The instance could not be compared',
};

export type ComparedInstance =
  | Extract<Compared, { kind: 'compared' }>
  /** `defect`: why the comparison itself failed, for the log. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly defect?: string }
  /** The backtest is gone. */
  | { readonly kind: 'ended' };

export interface ComparerOptions {
  /** Of the kind of work. */
  readonly name: string;
  readonly timeoutMs: number;
}

export interface Compare {
  /** @param turns where each computation takes its turn; without them, it gets the next free thread */
  (
    store: Database,
    version: BacktestedVersion,
    workflowID: string,
    wanted?: Wanted,
    turns?: Turns,
  ): Promise<ComparedInstance>;
  /** Resolves once the thread is loaded, which takes seconds on a busy machine. */
  ready(): Promise<void>;
}

/** With a thread of its kind, which keeps models between instances. */
export function comparer({ name, timeoutMs }: ComparerOptions): Compare {
  const known = new Known();
  const threads = { name, size: 1, timeoutMs, heapMB: HEAP_MB, bytesOf: () => 0 };
  const file = new URL('./compare-thread.js', import.meta.url);
  const run = inThreads<Work, Compared>(file, threads, (work) => compareWith(known, work));
  const compare = async (
    store: Database,
    version: BacktestedVersion,
    workflowID: string,
    wanted: Wanted = 'outcome',
    turns?: Turns,
  ): Promise<ComparedInstance> => {
    const instance = await readRecordedInstance(store, version.projectID, workflowID);
    if (instance.kind !== 'read') return skipped(reasons[instance.kind]);
    const { backtestID, graphSha256: candidate, definitionID } = version;
    const isItsVersion = definitionID !== null && definitionID === instance.definitionID;
    const given: { graphs: Given['graphs'][number][]; decisions: Given['decisions'][number][] } = {
      graphs: [],
      decisions: [],
    };
    while (given.graphs.length + given.decisions.length <= MAX_NEEDS) {
      const compared = await run({ backtestID, workflowID, candidate, isItsVersion, instance, wanted, given }, turns);
      if (compared === undefined) return skipped(reasons.tooLong);
      if (compared.kind === 'compared') return compared;
      if (compared.kind === 'failed') return { ...skipped(reasons.failed), defect: compared.message };
      for (const sha256 of compared.graphs) {
        const text = await graphOf(store, version, sha256);
        if (text === undefined) return sha256 === candidate ? { kind: 'ended' } : skipped(reasons.failed);
        given.graphs.push([sha256, text]);
      }
      for (const need of uniqueNeeds(compared.decisions))
        given.decisions.push([need, await decisionFor(store, version, need)]);
    }
    return skipped(reasons.tooLong);
  };
  return Object.assign(compare, { ready: run.ready });
}

function graphOf(store: Database, { backtestID, graphSha256 }: BacktestedVersion, sha256: string) {
  return sha256 === graphSha256 ? candidateGraph(store, backtestID) : graphText(store, sha256);
}

function decisionFor(store: Database, version: BacktestedVersion, need: DecisionNeed) {
  return need.kind === 'used'
    ? findUsedDecision(store, version.projectID, need.definitionID)
    : findBoundDecision(store, version, need);
}

function uniqueNeeds(needs: readonly DecisionNeed[]): DecisionNeed[] {
  return [...new Map(needs.map((need) => [JSON.stringify(need), need])).values()];
}

function skipped(reason: string): { kind: 'skipped'; reason: string } {
  return { kind: 'skipped', reason };
}
