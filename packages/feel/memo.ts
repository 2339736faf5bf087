/**
 * The only module-level state: immutable values that are expensive to create, cached by their content. Results of
 * evaluations never depend on the cache.
 */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';

const MOST = { entries: 1000 };

const kinds = { pattern: new BoundedCache<string, unknown>(MOST), zone: new BoundedCache<string, unknown>(MOST) };

/** The value of a key, created if missing; the oldest one is evicted when there are too many. */
export function remember<T>(kind: keyof typeof kinds, key: string, make: () => T): T {
  const entries = kinds[kind];
  const known = entries.get(key);
  if (known !== undefined) return known as T;
  const made = make();
  entries.set(key, made);
  return made;
}
