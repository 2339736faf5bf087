/**
 * Task types that job workers poll for now, or did a moment ago. Commits linger for results of these only. Each process
 * that answers polls tells the others twice a second; what is lost on the way costs a workflow task.
 */

/** A job worker asks again at once after it was given jobs; one that works on them comes back later. */
const WINDOW_MS = 1_000;
/** Three times the interval of announcements. */
const HEARD_WINDOW_MS = 1_500;
const MOST_KEYS = 1_000;

export class PollDemand {
  readonly #now: () => number;
  /** Polls of this process that wait, by key. */
  readonly #waiting = new Map<string, number>();
  /** Until when a key counts as polled, by `now`; the one noted last is the last. */
  readonly #until = new Map<string, number>();
  /** Keys that this process has been asked for since it announced them last. */
  #asked = new Set<string>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * A poll of this process begins.
   * @returns to be called when it has been answered
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

  /** What another process has announced: keys separated by spaces. */
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
    this.#until.delete(key);
    this.#until.set(key, until);
    if (this.#until.size > MOST_KEYS) this.#until.delete(this.#until.keys().next().value!);
  }
}
