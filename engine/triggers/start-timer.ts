/**
 * Timers that start processes: when they tick. Everything follows from the text and from one instant, the deployment,
 * so that whoever asks again gets the same answer. Ticks are whole seconds; none comes before its time.
 */
import { parseCron, type Cron } from './cron.js';
import { addDuration, parseCycle, parseDuration, parseInstant, type Duration } from './iso8601.js';
import type { TimerTrigger } from './timer.js';

/** Instants in epoch milliseconds; `first` and `last` are ticks themselves. */
export type StartTimerPlan =
  | { kind: 'once'; at: number }
  | { kind: 'every'; intervalMs: number; first: number; last?: number }
  /** On one day of the month; where a month does not have it, on its last. */
  | { kind: 'monthly'; months: number; first: number; last?: number }
  | { kind: 'cron'; cron: Cron; after: number };

export type PlannedStartTimer = { ok: true; plan: StartTimerPlan } | { ok: false; expected: string };

const MONTHS_PER_YEAR = 12;
/** Schedulers have no use for more, and dates beyond it no representation. */
const LATEST = parseInstant('2100-01-01T00:00:00Z')!;
const EARLIEST = parseInstant('0001-01-01T00:00:00Z')!;

/**
 * When a process starts by a timer.
 * @param text what `timeDate` or `timeCycle` says
 * @param deployed epoch milliseconds; a cycle without a beginning of its own begins then
 */
export function planStartTimer(at: TimerTrigger['at'], text: string, deployed: number): PlannedStartTimer {
  if (at === 'duration') return { ok: false, expected: 'timeDate or timeCycle, because nothing begins from which timeDuration could be counted' };
  if (at === 'date') return planDate(text);
  const cron = parseCron(text);
  return cron ? { ok: true, plan: { kind: 'cron', cron, after: deployed } } : planCycle(text, deployed);
}

/** Whether no tick comes after `instant`, epoch milliseconds. */
export function isOver(plan: StartTimerPlan, instant: number): boolean {
  switch (plan.kind) {
    case 'once':
      return plan.at <= instant;
    case 'cron':
      return false;
    default:
      return plan.last !== undefined && plan.last <= instant;
  }
}

function planDate(text: string): PlannedStartTimer {
  const instant = parseInstant(text);
  if (instant === undefined || instant > LATEST) return { ok: false, expected: 'an ISO 8601 date and time with a zone before the year 2100, such as 2026-01-31T09:00:00Z' };
  return { ok: true, plan: { kind: 'once', at: wholeSecond(instant) } };
}

function planCycle(text: string, deployed: number): PlannedStartTimer {
  const cycle = parseCycle(text);
  const interval = cycle && parseDuration(cycle.interval);
  if (!cycle || !interval) return { ok: false, expected: 'an ISO 8601 repetition such as R/PT10M, or a cron expression of six fields such as 0 0 9 * * MON-FRI' };
  const first = wholeSecond(cycle.start ?? addDuration(deployed, interval));
  const last = cycle.repetitions === undefined ? undefined : first + lengthOf(interval, cycle.repetitions - 1, first);
  const bounds = { first, ...(last !== undefined && last < LATEST && { last }) };
  if (first > LATEST || first < EARLIEST) return { ok: false, expected: 'a repetition that begins in the years 1 to 2099' };
  if (interval.months !== 0) return planMonths(interval, bounds);
  const { milliseconds } = interval;
  if (milliseconds < 1000 || milliseconds % 1000 !== 0) return { ok: false, expected: 'a repetition with an interval of whole seconds, at least one' };
  return { ok: true, plan: planEvery(milliseconds, bounds, deployed) };
}

/**
 * Ticks before the deployment do not happen, so the first is the next one after it: a scheduler cannot count from any
 * year by any interval. Where no second tick comes before the year 2100, the interval means nothing to it.
 */
function planEvery(intervalMs: number, { first, last }: { first: number; last?: number }, deployed: number): StartTimerPlan {
  const passed = Math.max(0, Math.ceil((deployed - first) / intervalMs));
  const next = first + passed * intervalMs;
  if (last !== undefined && last < next) return { kind: 'once', at: last };
  if (next > LATEST) return { kind: 'once', at: first };
  if (next + intervalMs > LATEST) return { kind: 'once', at: next };
  return { kind: 'every', intervalMs, first: next, ...(last !== undefined && { last }) };
}

/** Months that come round every year, or whole years, on the calendar; anything else drifts through it. */
function planMonths({ months, milliseconds }: Duration, bounds: { first: number; last?: number }): PlannedStartTimer {
  const comesRound = months > 0 && milliseconds === 0 && (MONTHS_PER_YEAR % months === 0 || months % MONTHS_PER_YEAR === 0);
  if (!comesRound) return { ok: false, expected: 'a repetition with an interval of 1, 2, 3, 4 or 6 months, of whole years, or without months' };
  return { ok: true, plan: { kind: 'monthly', months, ...bounds } };
}

function lengthOf({ months, milliseconds }: Duration, times: number, from: number): number {
  return addDuration(from, { months: months * times, milliseconds: milliseconds * times }) - from;
}

function wholeSecond(instant: number): number {
  return Math.ceil(instant / 1000) * 1000;
}
