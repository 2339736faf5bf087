/**
 * The only state at module scope: immutable things that are costly to make, kept by their content. What an evaluation gives never
 * depends on what is in here.
 */
const MOST_ENTRIES = 500;

const entries = new Map<string, unknown>();

/** The thing of a kind and key, made when it is not there; the oldest one goes when there are too many. */
export function remember<T>(kind: string, key: string, make: () => T): T {
  const name = `${kind}:${key}`;
  const known = entries.get(name);
  if (known !== undefined) return known as T;
  const made = make();
  if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value as string);
  entries.set(name, made);
  return made;
}
