/** How much of the modeler a browser keeps, and for how long. */

/** Files with unsaved edits: as many as one deployment takes. */
export const MAX_COPIES = 100;
/** Processes with scenarios. */
export const MAX_TESTED = 20;
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
export function oldOnes(copies: readonly Stored[], most: number, now: number): string[] {
  return copies
    .toSorted((one, other) => other.at - one.at)
    .filter((copy, index) => index >= most || !isFresh(copy, now))
    .map(({ key }) => key);
}
