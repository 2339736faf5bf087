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

/** A range whose sums are of hours or of days. */
export type Part = Range & { unit: Unit };

/** Sums of a longer time do not fit into memory at once: each hour or day of a node has up to six kilobytes per version. */
const MAX_READ = 32 * DAY;

/** Parts of a part that are read one after another. */
export function readsOf({ unit, since, until }: Part): Part[] {
  const reads: Part[] = [];
  for (let from = since; from < until; from += MAX_READ)
    reads.push({ unit, since: from, until: Math.min(from + MAX_READ, until) });
  return reads;
}

/** The full days of a range, and the hours before and after them. */
export function partsOf({ since, until }: Range): Part[] {
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
