/**
 * Token buckets and counters of concurrent requests, per caller. They are local to the process: several API processes
 * multiply the limits by their number.
 */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface TokenBuckets {
  /** Takes one token. Returns undefined on success, otherwise the whole seconds until the next token. */
  take(key: string): number | undefined;
}

/** Dropping a bucket only refills it, so the oldest buckets can be evicted when an attacker invents keys. */
const mostKeys = 10_000;

/** @param now milliseconds of a monotonic clock */
export function createTokenBuckets(limit: RateLimit, now: () => number): TokenBuckets {
  const buckets = new BoundedCache<string, { tokens: number; at: number }>({ entries: mostKeys });
  return {
    take(key) {
      const at = now();
      const known = buckets.get(key);
      const earned = known === undefined ? limit.burst : known.tokens + ((at - known.at) / 1000) * limit.perSecond;
      const tokens = Math.min(limit.burst, earned);
      const allowed = tokens >= 1;
      buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at });
      return allowed ? undefined : Math.max(1, Math.ceil((1 - tokens) / limit.perSecond));
    },
  };
}

export interface SimultaneousLimit {
  /**
   * False when the caller has reached the limit of concurrent requests; otherwise the caller must call `leave`
   * afterward.
   */
  enter(key: string): boolean;
  leave(key: string): void;
}

export function createSimultaneousLimit(most: number): SimultaneousLimit {
  const inProgress = new Map<string, number>();
  return {
    enter(key) {
      const count = inProgress.get(key) ?? 0;
      if (count >= most) return false;
      inProgress.set(key, count + 1);
      return true;
    },
    leave(key) {
      const count = (inProgress.get(key) ?? 1) - 1;
      if (count === 0) inProgress.delete(key);
      else inProgress.set(key, count);
    },
  };
}
