/**
 * Runs the tasks of each key one after another. Between two of them, the event loop completes a round for others: a
 * task can take a tenth of a second, and a caller that sends many at once must not block everyone else.
 */
import { setImmediate as nextRound } from 'node:timers/promises';

export class KeyedMutex {
  /** Settles when the last queued task of the key has ended; never rejects. */
  readonly #busy = new Map<string, Promise<unknown>>();

  /** Runs `work` when the earlier tasks of `key` have ended, or at once. */
  async run<Result>(key: string, work: () => Result | Promise<Result>): Promise<Result> {
    const before = this.#busy.get(key);
    const mine = before === undefined ? start(work) : before.then(work);
    const ended = mine.then(
      () => nextRound(),
      () => nextRound(),
    );
    this.#busy.set(key, ended);
    void ended.then(() => this.#busy.get(key) === ended && this.#busy.delete(key));
    return mine;
  }
}

async function start<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return work();
}
