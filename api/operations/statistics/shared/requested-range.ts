/** The range of time that a request for statistics asks for, in full hours. */
import { ceilTo, DAY, floorTo, HOUR, type Range } from '../../../../store/statistics/range.js';

interface RequestedRange {
  since?: string | undefined;
  until?: string | undefined;
}

/** Ends now and has this many days, unless the request says otherwise. */
export function requestedRange({ since, until }: RequestedRange, defaultDays: number): Range {
  const end = until === undefined ? Date.now() : Date.parse(until);
  const start = since === undefined ? end - defaultDays * DAY : Date.parse(since);
  return { since: floorTo(HOUR, start), until: ceilTo(HOUR, end) };
}

/** Why the range is refused, or undefined. */
export function refusedRange({ since, until }: Range, maxDays: number): string | undefined {
  if (since >= until) return 'since: must be before until';
  if (until - since > maxDays * DAY + HOUR) return `since: must be at most ${maxDays} days before until`;
  return undefined;
}
