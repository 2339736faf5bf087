/** Ranges of time that statistics are shown for, with the step that keeps a chart readable. */
import type { StepLength } from './types.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const ranges = [
  { id: '24h', label: 'Last 24 hours', lengthMs: dayMs, step: 'hour' },
  { id: '7d', label: 'Last 7 days', lengthMs: 7 * dayMs, step: 'hour' },
  { id: '30d', label: 'Last 30 days', lengthMs: 30 * dayMs, step: 'day' },
  { id: '90d', label: 'Last 90 days', lengthMs: 90 * dayMs, step: 'day' },
  { id: '1y', label: 'Last year', lengthMs: 365 * dayMs, step: 'day' },
] as const satisfies readonly { id: string; label: string; lengthMs: number; step: StepLength }[];

export type Range = (typeof ranges)[number];

const preset = ranges[2];

export const stepMs: Readonly<Record<StepLength, number>> = { hour: hourMs, day: dayMs };

/** The range of this name, or the last 30 days. */
export function rangeOf(name: string | undefined): Range {
  return ranges.find(({ id }) => id === name) ?? preset;
}

/** The change of an address that selects a range. */
export function atRange(id: string): { range: string | undefined } {
  return { range: id === preset.id ? undefined : id };
}

/** Starts at a whole step in UTC, as the aggregates do, so that the first step is complete. */
export function spanOf({ lengthMs, step }: Range, nowMs: number): { since: string; until: string; step: StepLength } {
  const length = stepMs[step];
  const begin = Math.floor((nowMs - lengthMs) / length) * length + length;
  return { since: new Date(begin).toISOString(), until: new Date(nowMs).toISOString(), step };
}

/**
 * The filter of a list for instances that started from `begin` to before `end`. Lists exclude the first and include the
 * second.
 */
export function startedIn(begin: number, end: number): { createdAfter: string; createdBefore: string } {
  return { createdAfter: new Date(begin - 1).toISOString(), createdBefore: new Date(end - 1).toISOString() };
}

/** The filter of a list for instances that ended from `begin` to before `end`. */
export function endedIn(begin: number, end: number): { completedAfter: string; completedBefore: string } {
  return { completedAfter: new Date(begin - 1).toISOString(), completedBefore: new Date(end - 1).toISOString() };
}

/** The time of a step, in UTC like the steps. */
export function sayTime(timeMs: number, step: StepLength): string {
  const text = new Date(timeMs).toISOString();
  return step === 'day' ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}
