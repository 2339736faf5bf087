/** A value that is expensive to read, kept in memory while callers ask for it. */

export interface Freshness {
  /** The longest time since a returned value was read. */
  maxMs: number;
  /** How long after one read the next begins, while the value is watched. */
  readEveryMs: number;
  /** How long after a request the value counts as watched. */
  watchedMs: number;
}

interface Reading<T> {
  beganAt: number;
  value: Promise<T>;
}

export class Watched<T> {
  readonly #readAgain: () => Promise<T>;
  readonly #freshness: Freshness;
  #latest: Reading<T> | undefined;
  /** Callers that need a newer value than the latest share one read. */
  #current: Reading<T> | undefined;
  #askedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param readAgain is called between requests */
  constructor(readAgain: () => Promise<T>, freshness: Freshness) {
    this.#readAgain = readAgain;
    this.#freshness = freshness;
  }

  /** @param read is called if no value is recent enough */
  get(read: () => Promise<T>): Promise<T> {
    this.#askedAt = performance.now();
    const latest = this.#latest;
    if (latest && performance.now() - latest.beganAt < this.#freshness.maxMs) return latest.value;
    return this.#read(read);
  }

  #read(read: () => Promise<T>): Promise<T> {
    if (this.#current) return this.#current.value;
    const current = { beganAt: performance.now(), value: read() };
    this.#current = current;
    current.value.then(
      () => {
        this.#latest = current;
        this.#current = undefined;
        this.#readLater(performance.now() - current.beganAt);
      },
      // The next request reads, and has the failure if there still is one.
      () => (this.#current = undefined),
    );
    return current.value;
  }

  /** A read that takes long is followed by a pause of the same length. */
  #readLater(tookMs: number): void {
    const { readEveryMs, watchedMs } = this.#freshness;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (performance.now() - this.#askedAt < watchedMs) this.#read(this.#readAgain).catch(() => undefined);
      },
      Math.max(readEveryMs - tookMs, tookMs),
    ).unref();
  }
}
