/** Notes what processes in play ask for and none of their files contains. */
import type { ChildBinding, FactOf } from '@perdure/engine/contract/facts.js';
import type { MemoryInstance } from '../memory-host.js';
import type { Bundle } from './bundle.js';
import type { Play } from './play.js';

/** A process that a call activity asked for. */
export interface NeededProcess {
  processID: string;
  /** Which version it calls. */
  binding: ChildBinding;
  /** The name of the file with the call activity. */
  callerFile: string;
}

export interface Needs {
  processes: NeededProcess[];
  /** Ids. */
  decisions: string[];
}

export class NeedsOf {
  readonly #bundle: Bundle;
  /** By id: the first call counts, because a play has one version of each process. */
  readonly #processes = new Map<string, NeededProcess>();
  readonly #decisions = new Set<string>();

  /** Watches from here on. */
  constructor({ host }: Play, bundle: Bundle) {
    this.#bundle = bundle;
    const { onFacts, evaluateDecision } = host;
    host.onFacts = (instance, facts) => {
      onFacts?.(instance, facts);
      for (const fact of facts) if (fact.kind === 'CHILD_CALLED') this.#noteCall(instance, fact);
    };
    host.evaluateDecision = (request, now) => {
      if (!this.#bundle.decisions.has(request.decisionID)) this.#decisions.add(request.decisionID);
      return evaluateDecision!(request, now);
    };
  }

  all(): Needs {
    return { processes: [...this.#processes.values()], decisions: [...this.#decisions] };
  }

  #noteCall({ model }: MemoryInstance, { processID, binding }: FactOf<'CHILD_CALLED'>): void {
    if (this.#processes.has(processID) || this.#fileOf(processID) !== undefined) return;
    this.#processes.set(processID, { processID, binding, callerFile: this.#fileOf(model.graph.processID) ?? '' });
  }

  #fileOf(processID: string): string | undefined {
    return this.#bundle.processes.find((process) => process.processID === processID)?.file;
  }
}
