/** How many local copies a browser keeps, and for how long. */

const MAX_COPIES = 20;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

interface Stored {
  key: string;
  /** When it was stored, in milliseconds. */
  at: number;
}

export function isFresh({ at }: Pick<Stored, 'at'>, now: number): boolean {
  return now - at < MAX_AGE_MS;
}

/** The keys of the copies to remove: expired ones, and the oldest above the limit. */
export function oldOnes(copies: readonly Stored[], now: number): string[] {
  return copies
    .toSorted((one, other) => other.at - one.at)
    .filter((copy, index) => index >= MAX_COPIES || !isFresh(copy, now))
    .map(({ key }) => key);
}
