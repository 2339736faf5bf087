/**
 * When a poll must include the longest available job of a type, whatever its priority. Each process counts the jobs that
 * it leases, because a count of all processes would be a row that every poll changes.
 */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { JOBS_PER_LONGEST } from './poll-statement.js';

const MAX_TYPES = 10_000;

export class LongestTurns {
  /** Jobs leased since the last one that was the longest available, by key of the type. */
  readonly #since = new BoundedCache<string, number>({ entries: MAX_TYPES });

  /** The position of the next job that must be the longest available, from 1. */
  untilNext(key: string): number {
    return Math.max(1, JOBS_PER_LONGEST - (this.#since.get(key) ?? 0));
  }

  /** Counts a leased job. */
  count(key: string, wasLongest: boolean): void {
    this.#since.set(key, wasLongest ? 0 : (this.#since.get(key) ?? 0) + 1);
  }
}
