/**
 * Task types that job workers poll for now or polled for recently. Commits linger only for results of these types. Each
 * process that serves polls announces its types twice a second. A lost announcement costs one workflow task.
 */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';

/** A job worker polls again immediately after it leased jobs, or after it has processed them. */
const WINDOW_MS = 1_000;
/** Three times the interval of announcements. */
const HEARD_WINDOW_MS = 1_500;
const MOST_KEYS = 1_000;

export class PollDemand {
  readonly #now: () => number;
  /** Number of waiting polls of this process, by key. */
  readonly #waiting = new Map<string, number>();
  /** Time by `now` until which a key counts as polled. */
  readonly #until = new BoundedCache<string, number>({ entries: MOST_KEYS });
  /** Keys polled at this process since its last announcement. */
  #asked = new Set<string>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Records the start of a poll at this process.
   * @returns a function to call when the poll has ended
   */
  begin(key: string): () => void {
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    this.#ask(key);
    return () => {
      const left = this.#waiting.get(key)! - 1;
      if (left > 0) this.#waiting.set(key, left);
      else this.#waiting.delete(key);
      this.#ask(key);
    };
  }

  /** Records the announcement of another process: keys separated by spaces. */
  hear(payload: string): void {
    for (const key of payload.split(' ')) this.#note(key, HEARD_WINDOW_MS);
  }

  isPolled(key: string): boolean {
    return this.#waiting.has(key) || (this.#until.get(key) ?? -Infinity) > this.#now();
  }

  /** The keys to announce. */
  takeAsked(): string[] {
    const asked = new Set([...this.#asked, ...this.#waiting.keys()]);
    this.#asked = new Set();
    return [...asked].slice(0, MOST_KEYS);
  }

  #ask(key: string): void {
    if (this.#asked.size < MOST_KEYS) this.#asked.add(key);
    this.#note(key, WINDOW_MS);
  }

  #note(key: string, windowMs: number): void {
    const until = Math.max(this.#until.get(key) ?? -Infinity, this.#now() + windowMs);
    this.#until.set(key, until);
  }
}
