/** Turns of callers at something of which there are only a few, however many requests each of them has. */

/** Called once it is the waiter's turn. */
type Waiter = () => void;

export class CallerTurns {
  readonly #size: number;
  /** In the order of turns: callers, and of each caller its waiters in the order of arrival. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** Turns that callers have or are about to get. */
  #taken = 0;

  /** @param size how many can have a turn at the same time */
  constructor(size: number) {
    this.#size = size;
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
    if (this.#taken < this.#size && this.#waiting.size === 0) this.#taken += 1;
    else await this.#turnOf(caller, milliseconds);
  }

  /** Passes a turn on to the caller who is next, who then moves to the end of the round. */
  pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    const [caller, waiters] = next;
    const waiter = waiters.values().next().value as Waiter;
    waiters.delete(waiter);
    this.#waiting.delete(caller);
    if (waiters.size > 0) this.#waiting.set(caller, waiters);
    waiter();
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
