/** One instance against a version, as a thread computes it. It asks for graphs and decisions that it does not have. */
import {
  backtest,
  recordingOf,
  type Backtested,
  type Decisions,
  type Positions,
  type Recording,
  type Runs,
} from '@perdure/backtest';
import { loadModel, type LoadedModel } from '@perdure/dmn';
import type { DecisionRequest } from '@perdure/engine/decisions.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { decisionNotFound, decisionOutcome } from '../activities/decision-outcome.js';
import type { FlowCounts } from '../store/backtests/backtests.js';
import type { BacktestedDecision } from '../store/backtests/decisions.js';
import type { RecordedInstance } from '../store/backtests/recorded-instances.js';

/** Besides the outcome: the visits of both runs, or the positions from which the run of the version can be continued. */
export type Wanted = 'outcome' | 'runs' | 'positions';

export interface Work {
  readonly backtestID: string;
  readonly workflowID: string;
  /** Content address of the graph of the version. */
  readonly candidate: string;
  /** The instance ran this version. */
  readonly isItsVersion: boolean;
  readonly instance: RecordedInstance;
  readonly wanted: Wanted;
  readonly given: Given;
}

/** A version of a decision: one that the instance used, or the one that a binding means. */
export type DecisionNeed =
  | { readonly kind: 'used'; readonly definitionID: string }
  | { readonly kind: 'bound'; readonly decisionID: string; readonly binding: DecisionRequest['binding'] };

export interface Given {
  /** JSON texts by content address. */
  readonly graphs: readonly (readonly [sha256: string, graph: string])[];
  /** Undefined: there is no such version. */
  readonly decisions: readonly (readonly [need: DecisionNeed, decision: BacktestedDecision | undefined])[];
}

export type Compared =
  | {
      readonly kind: 'compared';
      readonly item: Backtested['item'];
      readonly flows: FlowCounts;
      /** Undefined if they are not wanted, or the instance was skipped. */
      readonly runs?: Runs | undefined;
      /** With the graph that they run. Undefined if they are not wanted, or the version has no run. */
      readonly played?: (Positions & { readonly graph: Model['graph'] }) | undefined;
    }
  | { readonly kind: 'needs'; readonly graphs: readonly string[]; readonly decisions: readonly DecisionNeed[] }
  | { readonly kind: 'failed'; readonly message: string };

type KnownDecision = { readonly model: LoadedModel; readonly called: BacktestedDecision } | 'none';

/** Models that a thread keeps between instances, because most instances of a backtest need the same. */
export class Known {
  readonly models = new BoundedCache<string, Model>({ entries: 10 });
  readonly decisions = new BoundedCache<string, KnownDecision>({ entries: 30 });
}

/** Never throws: one instance that cannot be compared must not stop the others. */
export function compareWith(known: Known, work: Work): Compared {
  try {
    return compare(known, work);
  } catch (error) {
    return { kind: 'failed', message: errorMessage(error) };
  }
}

function compare(known: Known, work: Work): Compared {
  const models = new Models(known, work);
  const recorded = models.get(work.instance.graphSha256);
  const candidate = models.get(work.candidate);
  if (!recorded || !candidate) return { kind: 'needs', graphs: models.missing, decisions: [] };
  const { workflowID, instance, wanted } = work;
  const recording = recordingOf({
    workflowID,
    model: recorded,
    steps: instance.steps.map((text) => JSON.parse(text) as Recording['steps'][number]),
    commands: instance.commands
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text) as Recording['commands'][number]),
    ...(instance.isRedacted && { redacted: true }),
  });
  if ('reason' in recording)
    return { kind: 'compared', item: { workflowID, outcome: 'SKIPPED', reason: recording.reason }, flows: {} };
  const decisions = new Answers(known, work);
  const { item, flows, runs, positions } = backtest(recording, candidate, decisions);
  if (decisions.missing.length > 0) return { kind: 'needs', graphs: [], decisions: decisions.missing };
  const compared = { kind: 'compared', item, flows: joined(flows) } as const;
  if (wanted === 'runs') return { ...compared, runs: runs() };
  const played = wanted === 'positions' ? positions() : undefined;
  return { ...compared, played: played && { ...played, graph: candidate.graph } };
}

class Models {
  readonly missing: string[] = [];
  readonly #known: Known;
  readonly #given: ReadonlyMap<string, string>;

  constructor(known: Known, { given }: Work) {
    this.#known = known;
    this.#given = new Map(given.graphs);
  }

  get(sha256: string): Model | undefined {
    const text = this.#given.get(sha256);
    const model = this.#known.models.get(sha256) ?? (text === undefined ? undefined : modelOf(JSON.parse(text)));
    if (model) this.#known.models.set(sha256, model);
    else this.missing.push(sha256);
    return model;
  }
}

/** A run whose decision is missing continues without its answer, and is repeated with it. */
class Answers implements Decisions {
  readonly missing: DecisionNeed[] = [];
  readonly keepAnswers: boolean;
  readonly #known: Known;
  readonly #backtestID: string;
  readonly #given: ReadonlyMap<string, BacktestedDecision | undefined>;

  constructor(known: Known, { backtestID, isItsVersion, given }: Work) {
    this.keepAnswers = isItsVersion;
    this.#known = known;
    this.#backtestID = backtestID;
    this.#given = new Map(given.decisions.map(([need, decision]) => [JSON.stringify(need), decision]));
  }

  decide(
    { decisionID, binding, variables }: DecisionRequest,
    used: { definitionID: string } | undefined,
    now: number,
  ): ReturnType<Decisions['decide']> {
    const need: DecisionNeed =
      this.keepAnswers && used
        ? { kind: 'used', definitionID: used.definitionID }
        : { kind: 'bound', decisionID, binding };
    const found = this.#find(need);
    if (found === undefined) {
      this.missing.push(need);
      return undefined;
    }
    return found === 'none'
      ? decisionNotFound(decisionID, binding)
      : decisionOutcome(found.model, found.called, { decisionID, variables, now });
  }

  #find(need: DecisionNeed): KnownDecision | undefined {
    const text = JSON.stringify(need);
    // A binding means something else in another backtest.
    const key = need.kind === 'used' ? text : `${this.#backtestID} ${text}`;
    const present = this.#known.decisions.get(key);
    if (present !== undefined) return present;
    if (!this.#given.has(text)) return undefined;
    const called = this.#given.get(text);
    const found: KnownDecision = called === undefined ? 'none' : { model: loadModel(called), called };
    this.#known.decisions.set(key, found);
    return found;
  }
}

function joined({ before, after }: Backtested['flows']): FlowCounts {
  return Object.fromEntries(
    [...new Set([...before.keys(), ...after.keys()])].map((id) => [id, [before.get(id) ?? 0, after.get(id) ?? 0]]),
  );
}
