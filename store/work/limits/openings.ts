/** Times at which limits let more jobs be leased, because a lease expires or leaves the window of a rate. */

/** Later ones are found by polling. */
const MAX_MS = 60_000;
/** Timers of Node.js may fire up to 1 ms early. */
const TIMER_TOLERANCE_MS = 1;

export class LimitOpenings {
  readonly #open: (key: string) => void;
  /** The next time by `performance.now()` of each type. */
  readonly #next = new Map<string, { at: number; timer: NodeJS.Timeout }>();

  /** @param open is called when jobs of the type may be available */
  constructor(open: (key: string) => void) {
    this.#open = open;
  }

  /** Keeps the earliest time: what is there to lease then tells the next one. */
  at(key: string, inMilliseconds: number): void {
    if (inMilliseconds > MAX_MS) return;
    const milliseconds = Math.ceil(inMilliseconds) + TIMER_TOLERANCE_MS;
    const at = performance.now() + milliseconds;
    const known = this.#next.get(key);
    if (known && known.at <= at) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.#next.delete(key);
      this.#open(key);
    }, milliseconds);
    // A poll that waits keeps the process alive.
    timer.unref();
    this.#next.set(key, { at, timer });
  }
}
