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
  /** Takes one token, or `amount`. Returns undefined on success, otherwise the whole seconds until there are enough. */
  take(key: string, amount?: number): number | undefined;
  /** Takes tokens for what was already done; less than none can be left. */
  spend(key: string, amount: number): void;
}

/** Dropping a bucket only refills it, so the oldest buckets can be evicted when an attacker invents keys. */
const maxKeys = 10_000;

/** @param now milliseconds of a monotonic clock */
export function createTokenBuckets(limit: RateLimit, now: () => number): TokenBuckets {
  const buckets = new BoundedCache<string, { tokens: number; at: number }>({ entries: maxKeys });
  function tokensOf(key: string, at: number): number {
    const known = buckets.get(key);
    const earned = known === undefined ? limit.burst : known.tokens + ((at - known.at) / 1000) * limit.perSecond;
    return Math.min(limit.burst, earned);
  }
  return {
    take(key, amount = 1) {
      const at = now();
      const tokens = tokensOf(key, at);
      const allowed = tokens >= amount;
      buckets.set(key, { tokens: allowed ? tokens - amount : tokens, at });
      return allowed ? undefined : Math.max(1, Math.ceil((amount - tokens) / limit.perSecond));
    },
    spend(key, amount) {
      const at = now();
      buckets.set(key, { tokens: tokensOf(key, at) - amount, at });
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
