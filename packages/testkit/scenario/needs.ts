/** Notes what processes in play ask for and none of their files contains. */
import type { FactOf } from '@perdure/engine/contract/facts.js';
import type { Bundle } from './bundle.js';
import type { Play } from './play.js';

/** Ids of processes and decisions. */
export interface Needs {
  processes: string[];
  decisions: string[];
}

export class NeedsOf {
  readonly #bundle: Bundle;
  readonly #processes = new Set<string>();
  readonly #decisions = new Set<string>();

  /** Watches from here on. */
  constructor({ host }: Play, bundle: Bundle) {
    this.#bundle = bundle;
    const { onFacts, evaluateDecision } = host;
    host.onFacts = (instance, facts) => {
      onFacts?.(instance, facts);
      for (const fact of facts) if (fact.kind === 'CHILD_CALLED') this.#noteCall(fact);
    };
    host.evaluateDecision = (request, now) => {
      if (!this.#bundle.decisions.has(request.decisionID)) this.#decisions.add(request.decisionID);
      return evaluateDecision!(request, now);
    };
  }

  all(): Needs {
    return { processes: [...this.#processes], decisions: [...this.#decisions] };
  }

  #noteCall({ processID }: FactOf<'CHILD_CALLED'>): void {
    if (!this.#bundle.processes.some((process) => process.processID === processID)) this.#processes.add(processID);
  }
}
