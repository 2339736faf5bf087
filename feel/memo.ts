/**
 * The only state at module scope: immutable things that are costly to make, kept by their content. What an evaluation gives never
 * depends on what is in here.
 */
const MOST_ENTRIES = 1000;

const kinds = { pattern: new Map<string, unknown>(), zone: new Map<string, unknown>() };

/** The thing of a key, made when it is not there; the oldest one goes when there are too many. */
export function remember<T>(kind: keyof typeof kinds, key: string, make: () => T): T {
  const entries = kinds[kind];
  const known = entries.get(key);
  if (known !== undefined) return known as T;
  const made = make();
  if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value as string);
  entries.set(key, made);
  return made;
}
