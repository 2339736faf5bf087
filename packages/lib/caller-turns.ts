/**
 * Runs the evaluations of each caller one after another. One evaluation can take a tenth of a second, so a caller that
 * sends many at once must not block the event loop, or all threads, for the others.
 */
import { setImmediate as nextRound } from 'node:timers/promises';

export class CallerTurns {
  /** Settles when the caller's last queued evaluation has ended; never rejects. */
  readonly #busy = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` after the caller's earlier evaluations have ended and the event loop has completed a round for other
   * callers.
   */
  async run<Result>(caller: string, work: () => Result | Promise<Result>): Promise<Result> {
    const before = this.#busy.get(caller);
    const mine = before === undefined ? start(work) : before.then(work);
    const ended = mine.then(
      () => nextRound(),
      () => nextRound(),
    );
    this.#busy.set(caller, ended);
    void ended.then(() => this.#busy.get(caller) === ended && this.#busy.delete(caller));
    return mine;
  }
}

async function start<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return work();
}
