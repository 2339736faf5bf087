/** Ranges of time in whole hours, in UTC, as epoch milliseconds. */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** From `since` until before `until`, both full hours. */
export interface Range {
  since: number;
  until: number;
}

export const unitLengths = { hour: HOUR, day: DAY } as const;
export type Unit = keyof typeof unitLengths;

export function floorTo(length: number, time: number): number {
  return Math.floor(time / length) * length;
}

export function ceilTo(length: number, time: number): number {
  return Math.ceil(time / length) * length;
}

/** The full days of a range, and the hours before and after them. */
export function partsOf({ since, until }: Range): { unit: Unit; since: number; until: number }[] {
  const firstDay = Math.min(ceilTo(DAY, since), until);
  const lastDay = Math.max(floorTo(DAY, until), firstDay);
  return [
    { unit: 'hour' as const, since, until: firstDay },
    { unit: 'day' as const, since: firstDay, until: lastDay },
    { unit: 'hour' as const, since: lastDay, until },
  ].filter((part) => part.since < part.until);
}

/** The steps of a range; the first and the last may be shorter than the unit. */
export function stepsOf({ since, until }: Range, unit: Unit): number[] {
  const length = unitLengths[unit];
  const steps = [since];
  for (let step = floorTo(length, since) + length; step < until; step += length) steps.push(step);
  return steps;
}
