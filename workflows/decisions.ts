/** Decisions that an instance has asked for: evaluated outside, answered in a later step. */
import type { DecisionAnswer } from '../engine/commands.js';
import type { Effect } from '../engine/effects.js';
import { call } from './activities.js';

export class Decisions {
  readonly #workflowID: string;
  /** By the wait that asked; without an answer while it is evaluated. */
  readonly #open = new Map<number, DecisionAnswer | undefined>();

  constructor(workflowID: string) {
    this.#workflowID = workflowID;
  }

  /** Whether a step is to be given answers. */
  get hasAnswers(): boolean {
    return this.answers().length > 0;
  }

  /** Whether nothing is asked for or answered: then the instance may go on in a new run. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  answers(): DecisionAnswer[] {
    return [...this.#open.values()].filter((answer) => answer !== undefined);
  }

  /** @param now of the step that asked, epoch milliseconds */
  request(effects: readonly Effect[], now: number): void {
    for (const effect of effects) {
      this.#open.set(effect.wait, undefined);
      void this.#evaluate(effect, now);
    }
  }

  /** The step that was written took these. */
  markTaken(answers: readonly DecisionAnswer[]): void {
    for (const { execution } of answers) this.#open.delete(execution);
  }

  async #evaluate({ wait, decisionID, binding, variables }: Effect, now: number): Promise<void> {
    const outcome = await call('evaluateDecision', { workflowID: this.#workflowID, decisionID, binding, variables, now }, `decision ${decisionID}`);
    // A step that was adopted from a lost attempt may have taken an answer before this one came.
    if (this.#open.has(wait)) this.#open.set(wait, { kind: 'DECISION_EVALUATED', execution: wait, outcome });
  }
}
