/**
 * Evaluations of one caller, one after the other. One evaluation may take a tenth of a second, so a caller that sends many at once
 * must not keep the event loop, or all threads, from the others.
 */
import { setImmediate as nextRound } from 'node:timers/promises';

export class CallerTurns {
  /** What the next evaluation of a caller waits for; it never rejects. */
  readonly #busy = new Map<string, Promise<unknown>>();

  /** Runs `work` when the evaluations that the caller asked for before have ended, and the event loop has had a round for others. */
  async run<Result>(caller: string, work: () => Result | Promise<Result>): Promise<Result> {
    const before = this.#busy.get(caller);
    const mine = before === undefined ? start(work) : before.then(work);
    const ended = mine.then(() => nextRound(), () => nextRound());
    this.#busy.set(caller, ended);
    void ended.then(() => this.#busy.get(caller) === ended && this.#busy.delete(caller));
    return mine;
  }
}

async function start<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return work();
}
