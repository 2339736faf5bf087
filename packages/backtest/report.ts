/** The sums of a backtest over many instances: counts, groups by cause, and how often each flow was taken. */
import type { Backtested, BacktestItem } from './backtest.js';
import type { Outcome } from './comparison/outcome.js';

const MAX_GROUPS = 100;
const MAX_EXAMPLES = 5;

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

export interface BacktestGroup {
  readonly outcome: Exclude<Outcome, 'SAME'>;
  readonly nodeID?: string;
  readonly reason: string;
  readonly count: number;
  /** Workflow ids of the first of them. */
  readonly examples: readonly string[];
  readonly durationMs?: Percentiles;
  readonly durationBeforeMs?: Percentiles;
}

export interface BacktestReport {
  readonly done: number;
  readonly counts: {
    same: number;
    otherPath: number;
    otherResult: number;
    incident: number;
    unanswered: number;
    skipped: number;
  };
  /** The largest. */
  readonly groups: readonly BacktestGroup[];
  /** Flows that were taken in either run, by id. */
  readonly flows: readonly { readonly flowID: string; readonly before: number; readonly after: number }[];
}

const countOf = {
  SAME: 'same',
  OTHER_PATH: 'otherPath',
  OTHER_RESULT: 'otherResult',
  INCIDENT: 'incident',
  UNANSWERED: 'unanswered',
  SKIPPED: 'skipped',
} as const satisfies Record<Outcome, keyof BacktestReport['counts']>;

interface Group {
  readonly outcome: Exclude<Outcome, 'SAME'>;
  readonly nodeID: string | undefined;
  readonly reason: string;
  count: number;
  readonly examples: string[];
  readonly durations: number[];
  readonly durationsBefore: number[];
}

export class Tally {
  readonly #counts = { same: 0, otherPath: 0, otherResult: 0, incident: 0, unanswered: 0, skipped: 0 };
  readonly #groups = new Map<string, Group>();
  readonly #before = new Map<string, number>();
  readonly #after = new Map<string, number>();

  add({ item, flows }: Backtested): void {
    this.#counts[countOf[item.outcome]] += 1;
    if (item.outcome !== 'SAME') this.#addToGroup(item, item.outcome);
    addAll(this.#before, flows.before);
    addAll(this.#after, flows.after);
  }

  get report(): BacktestReport {
    const counts = { ...this.#counts };
    return {
      done: Object.values(counts).reduce((sum, count) => sum + count, 0),
      counts,
      groups: [...this.#groups.values()]
        .sort((one, other) => other.count - one.count)
        .slice(0, MAX_GROUPS)
        .map(described),
      flows: [...new Set([...this.#before.keys(), ...this.#after.keys()])]
        .sort()
        .map((flowID) => ({ flowID, before: this.#before.get(flowID) ?? 0, after: this.#after.get(flowID) ?? 0 })),
    };
  }

  #addToGroup(item: BacktestItem, outcome: Group['outcome']): void {
    const { workflowID, first, reason = '', durationMs, durationBeforeMs } = item;
    const key = JSON.stringify([outcome, first?.nodeID, reason]);
    let group = this.#groups.get(key);
    if (!group) {
      group = { outcome, nodeID: first?.nodeID, reason, count: 0, examples: [], durations: [], durationsBefore: [] };
      this.#groups.set(key, group);
    }
    group.count += 1;
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(workflowID);
    if (durationMs !== undefined) group.durations.push(durationMs);
    if (durationBeforeMs !== undefined) group.durationsBefore.push(durationBeforeMs);
  }
}

function addAll(sums: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [id, count] of counts) sums.set(id, (sums.get(id) ?? 0) + count);
}

function described({ outcome, nodeID, reason, count, examples, durations, durationsBefore }: Group): BacktestGroup {
  return {
    outcome,
    ...(nodeID !== undefined && { nodeID }),
    reason,
    count,
    examples: [...examples],
    ...(durations.length > 0 && { durationMs: percentilesOf(durations) }),
    ...(durationsBefore.length > 0 && { durationBeforeMs: percentilesOf(durationsBefore) }),
  };
}

/** The smallest value that this share of the values does not exceed. */
function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
  return { p50: at(0.5), p95: at(0.95) };
}
