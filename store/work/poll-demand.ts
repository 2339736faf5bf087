/**
 * Task types that job workers poll for now or polled for recently. Commits linger only for results of these types, and new
 * jobs are announced to other processes only if those poll for their types. Each process that serves polls announces a
 * type when it is first polled for, and then twice a second. A lost announcement costs one workflow task or half a second.
 */
import { randomBytes } from 'node:crypto';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { readPollsAnnouncement } from '../sql/announcements.js';

/** A job worker polls again immediately after it leased jobs, or after it has processed them. */
const WINDOW_MS = 1_000;
/** Three times the interval of announcements. */
const HEARD_WINDOW_MS = 1_500;
const MAX_KEYS = 1_000;

export class PollDemand {
  /** Of this process, in its announcements. */
  readonly id = randomBytes(6).toString('hex');
  readonly #now: () => number;
  /** Number of waiting polls of this process, by key. */
  readonly #waiting = new Map<string, number>();
  /** Time by `now` until which a key counts as polled at this process, and at others. */
  readonly #here = new BoundedCache<string, number>({ entries: MAX_KEYS });
  readonly #elsewhere = new BoundedCache<string, number>({ entries: MAX_KEYS });
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

  /** Records an announcement, unless it is one of this process. */
  hear(payload: string): void {
    const { process, keys } = readPollsAnnouncement(payload);
    if (process !== this.id) for (const key of keys) this.#note(this.#elsewhere, key, HEARD_WINDOW_MS);
  }

  isPolled(key: string): boolean {
    return this.isPolledHere(key) || this.isPolledElsewhere(key);
  }

  isPolledHere(key: string): boolean {
    return this.#waiting.has(key) || this.#isCurrent(this.#here, key);
  }

  isPolledElsewhere(key: string): boolean {
    return this.#isCurrent(this.#elsewhere, key);
  }

  /** The keys to announce. */
  takeAsked(): string[] {
    const asked = new Set([...this.#asked, ...this.#waiting.keys()]);
    this.#asked = new Set();
    return [...asked].slice(0, MAX_KEYS);
  }

  #ask(key: string): void {
    if (this.#asked.size < MAX_KEYS) this.#asked.add(key);
    this.#note(this.#here, key, WINDOW_MS);
  }

  #note(times: BoundedCache<string, number>, key: string, windowMs: number): void {
    times.set(key, this.#now() + windowMs);
  }

  #isCurrent(times: BoundedCache<string, number>, key: string): boolean {
    return (times.get(key) ?? -Infinity) > this.#now();
  }
}
