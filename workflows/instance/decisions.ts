/** Decisions that an instance waits for: evaluated outside, their results handled in a later step. */
import { sleep } from '@temporalio/workflow';
import type { DecisionEvaluation } from '@perdure/engine/contract/commands.js';
import { decisionRequest, type DecisionRequest } from '@perdure/engine/decisions.js';
import type { State } from '@perdure/engine/state/state.js';
import { attempt, pauseAfter } from '../activities.js';
import type { TaskLoad } from './task-load.js';

/** Maximum decisions evaluated in parallel; further ones wait until a step has handled these results. */
const MAX_DECISIONS_AT_ONCE = 16;
/** Maximum size of variables passed to decisions at once, in characters of JSON. */
const MAX_CHARACTERS_AT_ONCE = 1024 * 1024;

/**
 * The requests are derived from the state, so a new run continues with them. A replay resolves at once what happened
 * one after the other. Therefore nothing else is called while decisions are evaluated, and all of them are awaited (ADR
 * 25). A failed evaluation is retried later, and the instance takes commands in the meantime.
 */
export class Decisions {
  readonly #of: { readonly projectID: string; readonly workflowID: string };
  readonly #load: TaskLoad;
  /** By the requesting wait: results that no step has handled yet. */
  readonly #evaluations = new Map<number, DecisionEvaluation>();
  /** Waits whose decision could not be evaluated; they are retried together. */
  readonly #failed = new Set<number>();
  #failures = 0;

  /** The delay after a failure is over. */
  retryIsDue = false;

  /** @param of the instance */
  constructor(of: { readonly projectID: string; readonly workflowID: string }, load: TaskLoad) {
    this.#of = of;
    this.#load = load;
  }

  /** Whether no result is left for a step to handle. */
  get isIdle(): boolean {
    return this.#evaluations.size === 0;
  }

  evaluations(): DecisionEvaluation[] {
    return [...this.#evaluations.values()];
  }

  /** Evaluates a limited part of the decisions that the state requests. */
  async evaluate(state: State): Promise<void> {
    if (this.retryIsDue) this.#failed.clear();
    this.retryIsDue = false;
    const requests = this.#nextRequests(state);
    if (requests.length > 0) await this.#load.makeRoom();
    const outcomes = await Promise.all(requests.map((request) => this.#evaluate(request)));
    const failedBefore = this.#failed.size;
    for (const [index, { wait }] of requests.entries()) {
      const outcome = outcomes[index];
      if (outcome) this.#evaluations.set(wait, { kind: 'DECISION_EVALUATED', execution: wait, outcome });
      else this.#failed.add(wait);
    }
    if (this.#failed.size === 0) this.#failures = 0;
    else if (failedBefore === 0) this.#retryLater();
  }

  /** Drops results without an open wait: they were handled, or the requesting element was interrupted. */
  forgetTaken({ waits }: State): void {
    for (const wait of this.#evaluations.keys()) if (!waits[wait]) this.#evaluations.delete(wait);
  }

  #nextRequests(state: State): DecisionRequest[] {
    const requests: DecisionRequest[] = [];
    let characters = 0;
    for (const wait of Object.values(state.waits)) {
      if (wait.kind !== 'decision' || this.#evaluations.has(wait.id) || this.#failed.has(wait.id)) continue;
      const request = decisionRequest(state, wait);
      characters += JSON.stringify(request.variables).length;
      if (requests.length > 0 && (requests.length === MAX_DECISIONS_AT_ONCE || characters > MAX_CHARACTERS_AT_ONCE))
        break;
      requests.push(request);
    }
    return requests;
  }

  async #evaluate({ wait: _wait, ...request }: DecisionRequest) {
    return attempt(
      this.#load,
      'evaluateDecision',
      { ...this.#of, ...request, now: Date.now() },
      `decision ${request.decisionID}`,
    );
  }

  #retryLater(): void {
    this.#failures += 1;
    void sleep(pauseAfter(this.#failures)).then(() => {
      this.retryIsDue = true;
    });
  }
}
