/**
 * The only module-level state: immutable values that are expensive to create, cached by their content. Results of
 * evaluations never depend on the cache.
 */
const MOST_ENTRIES = 1000;

const kinds = { pattern: new Map<string, unknown>(), zone: new Map<string, unknown>() };

/** The value of a key, created if missing; the oldest one is evicted when there are too many. */
export function remember<T>(kind: keyof typeof kinds, key: string, make: () => T): T {
  const entries = kinds[kind];
  const known = entries.get(key);
  if (known !== undefined) return known as T;
  const made = make();
  if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value as string);
  entries.set(key, made);
  return made;
}
