/** Decisions that an instance has asked for: evaluated outside, answered in a later step. */
import type { DecisionAnswer } from '../engine/commands.js';
import type { Effect } from '../engine/effects.js';
import { call } from './activities.js';

/**
 * Nothing else goes on while decisions are evaluated, and the next step takes all of them. A replay resolves at once what
 * came one after the other, so an instance that went on with the first answer would do something else when it is replayed.
 */
export class Decisions {
  readonly #workflowID: string;
  /** By the wait that asked: answers that no step has taken yet. */
  readonly #answers = new Map<number, DecisionAnswer>();

  constructor(workflowID: string) {
    this.#workflowID = workflowID;
  }

  /** Whether there is no answer left: then the instance may go on in a new run. */
  get isIdle(): boolean {
    return this.#answers.size === 0;
  }

  answers(): DecisionAnswer[] {
    return [...this.#answers.values()];
  }

  /** @param now of the step that asked, epoch milliseconds */
  async evaluate(effects: readonly Effect[], now: number): Promise<void> {
    const answers = await Promise.all(effects.map((effect) => this.#evaluate(effect, now)));
    for (const answer of answers) this.#answers.set(answer.execution, answer);
  }

  /** The step that was written took these. */
  markTaken(answers: readonly DecisionAnswer[]): void {
    for (const { execution } of answers) this.#answers.delete(execution);
  }

  async #evaluate({ wait, decisionID, binding, variables }: Effect, now: number): Promise<DecisionAnswer> {
    const outcome = await call('evaluateDecision', { workflowID: this.#workflowID, decisionID, binding, variables, now }, `decision ${decisionID}`);
    return { kind: 'DECISION_EVALUATED', execution: wait, outcome };
  }
}
