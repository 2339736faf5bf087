/** Decisions that an instance waits for: evaluated outside, answered in a later step. */
import { sleep } from '@temporalio/workflow';
import type { DecisionAnswer } from '../engine/commands.js';
import { decisionRequest, type DecisionRequest } from '../engine/decisions.js';
import type { State } from '../engine/state.js';
import { attempt, pauseAfter } from './activities.js';
import type { TaskLoad } from './task-load.js';

/** Evaluated side by side; the next ones wait until a step has taken the answers to these. */
const MOST_AT_ONCE = 16;
/** Of variables that are given to decisions at once, in characters of JSON. */
const MOST_CHARACTERS_AT_ONCE = 1024 * 1024;

/**
 * What is to be evaluated stands in the state, so a new run goes on with it. A replay resolves at once what came one after the
 * other, so nothing else is called while decisions are evaluated, and all of them are waited for (ADR 25). One that does not
 * come to an answer is tried again later, and the instance hears commands meanwhile.
 */
export class Decisions {
  readonly #workflowID: string;
  readonly #load: TaskLoad;
  /** By the wait that asked: answers that no step has taken yet. */
  readonly #answers = new Map<number, DecisionAnswer>();
  /** Waits whose decision could not be evaluated; they are tried again together. */
  readonly #failed = new Set<number>();
  #failures = 0;

  /** The pause after a failure is over. */
  retryIsDue = false;

  constructor(workflowID: string, load: TaskLoad) {
    this.#workflowID = workflowID;
    this.#load = load;
  }

  /** Whether there is no answer left for a step to take. */
  get isIdle(): boolean {
    return this.#answers.size === 0;
  }

  answers(): DecisionAnswer[] {
    return [...this.#answers.values()];
  }

  /** Evaluates what the state asks for, a bounded part of it at once. */
  async evaluate(state: State): Promise<void> {
    if (this.retryIsDue) this.#failed.clear();
    this.retryIsDue = false;
    const requests = this.#nextRequests(state);
    if (requests.length > 0) await this.#load.makeRoom();
    const outcomes = await Promise.all(requests.map((request) => this.#evaluate(request)));
    const failedBefore = this.#failed.size;
    for (const [index, { wait }] of requests.entries()) {
      const outcome = outcomes[index];
      if (outcome) this.#answers.set(wait, { kind: 'DECISION_EVALUATED', execution: wait, outcome });
      else this.#failed.add(wait);
    }
    if (this.#failed.size === 0) this.#failures = 0;
    else if (failedBefore === 0) this.#retryLater();
  }

  /** Forgets answers that nothing waits for any more: they were taken, or what asked was interrupted. */
  forgetTaken({ waits }: State): void {
    for (const wait of this.#answers.keys()) if (!waits[wait]) this.#answers.delete(wait);
  }

  #nextRequests(state: State): DecisionRequest[] {
    const requests: DecisionRequest[] = [];
    let characters = 0;
    for (const wait of Object.values(state.waits)) {
      if (wait.kind !== 'decision' || this.#answers.has(wait.id) || this.#failed.has(wait.id)) continue;
      const request = decisionRequest(state, wait);
      characters += JSON.stringify(request.variables).length;
      if (requests.length > 0 && (requests.length === MOST_AT_ONCE || characters > MOST_CHARACTERS_AT_ONCE)) break;
      requests.push(request);
    }
    return requests;
  }

  async #evaluate({ wait: _wait, ...request }: DecisionRequest) {
    return attempt(this.#load, 'evaluateDecision', { workflowID: this.#workflowID, ...request, now: Date.now() }, `decision ${request.decisionID}`);
  }

  #retryLater(): void {
    this.#failures += 1;
    void sleep(pauseAfter(this.#failures)).then(() => {
      this.retryIsDue = true;
    });
  }
}
