/**
 * Turns of callers at something of which there are only a few, however many requests each of them has. A caller whose turns
 * end late, because its statements wait for each other, cannot have all of them.
 */

/** Called once it is the waiter's turn. */
type Waiter = () => void;

export class CallerTurns {
  readonly #size: number;
  readonly #sizePerCaller: number;
  /** Turns of each caller that has any. */
  readonly #held = new Map<string, number>();
  /** In the order of turns: callers, and of each caller its waiters in the order of arrival. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** Turns that callers have or are about to get. */
  #taken = 0;

  /**
   * @param size how many can have a turn at the same time
   * @param sizePerCaller how many of one caller
   */
  constructor(size: number, sizePerCaller = size) {
    this.#size = size;
    this.#sizePerCaller = sizePerCaller;
  }

  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /**
   * Resolves when the caller has a turn.
   * @param milliseconds the longest wait (default: any)
   * @throws in the words of the driver, by which the API recognizes that Postgres is busy
   */
  async take(caller: string, milliseconds: number | undefined): Promise<void> {
    // Those that wait while turns are left have all that they may have.
    if (this.#taken < this.#size && this.#mayTake(caller)) this.#give(caller);
    else await this.#turnOf(caller, milliseconds);
  }

  /** Passes a turn of the caller on to the one who is next, who then moves to the end of the round. */
  pass(from: string): void {
    this.#taken -= 1;
    const left = this.#held.get(from)! - 1;
    if (left > 0) this.#held.set(from, left);
    else this.#held.delete(from);
    for (const [caller, waiters] of this.#waiting) {
      if (!this.#mayTake(caller)) continue;
      const waiter = waiters.values().next().value as Waiter;
      waiters.delete(waiter);
      this.#waiting.delete(caller);
      if (waiters.size > 0) this.#waiting.set(caller, waiters);
      this.#give(caller);
      waiter();
      return;
    }
  }

  #mayTake(caller: string): boolean {
    return (this.#held.get(caller) ?? 0) < this.#sizePerCaller;
  }

  #give(caller: string): void {
    this.#taken += 1;
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
  }

  #turnOf(caller: string, milliseconds: number | undefined): Promise<void> {
    const waiters = this.#waiting.get(caller) ?? new Set();
    this.#waiting.set(caller, waiters);
    return new Promise((resolve, reject) => {
      const waiter = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        waiters.delete(waiter);
        if (waiters.size === 0) this.#waiting.delete(caller);
        reject(new Error('timeout exceeded when trying to connect'));
      };
      const timer = milliseconds ? setTimeout(giveUp, milliseconds) : undefined;
      waiters.add(waiter);
    });
  }
}
