/**
 * Schedules of timers that start processes. They depend only on the text, the deployment time and the rules of zones
 * that a date names, so that repeated evaluation gives the same result. Ticks are whole seconds, and none occurs early.
 */
import { nextTick, parseCron, type Cron } from './cron.js';
import { followsCalendar, instantOfTick, lastTickBy, parseZonedCycle, type CalendarTick, type Cycle } from './cycle.js';
import { addDuration, parseDuration, parseInstant, parsePeriod, type Duration } from './iso8601.js';
import { parseKnownZonedInstant } from './zoned.js';
import type { TimerTrigger } from '../events/timer.js';

/** Instants in epoch milliseconds; `first` and `last` are themselves ticks. */
export type StartTimerPlan =
  | { kind: 'once'; at: number }
  | { kind: 'every'; intervalMs: number; first: number; last?: number }
  /** On the day of the month of `start`, or on the last day of months that are too short, in UTC. */
  | { kind: 'monthly'; months: number; start: number; first: number; last?: number }
  /**
   * On the clock of a zone, or by months in UTC that no calendar repeats. `calendar` is a tick from which the others count;
   * the first one is `calendar` or later.
   */
  | { kind: 'zoned'; calendar: CalendarTick; interval: string; first: number; last?: number }
  | { kind: 'cron'; cron: Cron; after: number };

export type ZonedPlan = Extract<StartTimerPlan, { kind: 'zoned' }>;

type PlannedStartTimer = { ok: true; plan: StartTimerPlan } | { ok: false; expected: string };

const MONTHS_PER_YEAR = 12;
const LONGEST_MONTH_MS = 31 * 86_400_000;
/** Schedulers do not need more, and later dates have no representation. */
const LATEST = parseInstant('2100-01-01T00:00:00Z')!;
const EARLIEST = parseInstant('0001-01-01T00:00:00Z')!;

/**
 * The schedule of a timer start event.
 * @param text the value of `timeDate` or `timeCycle`
 * @param deployed epoch milliseconds; a cycle without a start time starts then
 */
export function planStartTimer(at: TimerTrigger['at'], text: string, deployed: number): PlannedStartTimer {
  if (at === 'duration')
    return { ok: false, expected: 'timeDate or timeCycle, because there is no start time for timeDuration' };
  if (at === 'date') return planDate(text);
  const cron = parseCron(text);
  return cron ? { ok: true, plan: { kind: 'cron', cron, after: deployed } } : planCycle(text, deployed);
}

/**
 * Ticks of a plan on the clock of a zone, epoch milliseconds, ascending.
 * @param from epoch milliseconds; earlier ticks are left out
 * @param most maximum number of ticks
 */
export function zonedTicks(plan: ZonedPlan, from: number, most: number): number[] {
  const { first, last, calendar, interval } = plan;
  const period = parsePeriod(interval)!;
  const until = Math.min(last ?? LATEST, LATEST);
  const ticks = first >= from && first <= until && most > 0 ? [first] : [];
  let { tick } = lastTickBy(calendar, period, Math.max(first, from - 1));
  while (ticks.length < most) {
    tick += 1;
    const instant = instantOfTick({ ...calendar, tick }, period);
    if (instant === undefined || wholeSecond(instant) > until) return ticks;
    // Two ticks can be at the same instant after clocks have skipped a day.
    if (wholeSecond(instant) >= from && wholeSecond(instant) !== ticks.at(-1)) ticks.push(wholeSecond(instant));
  }
  return ticks;
}

/** The first tick after `instant`, in epoch milliseconds; undefined if none follows. */
export function tickAfter(plan: StartTimerPlan, instant: number): number | undefined {
  switch (plan.kind) {
    case 'once':
      return plan.at > instant ? plan.at : undefined;
    case 'cron':
      return nextTick(plan.cron, Math.max(instant, plan.after));
    case 'zoned':
      return zonedTicks(plan, instant + 1, 1)[0];
    case 'every':
      return within(
        plan,
        plan.first + Math.max(0, Math.floor((instant - plan.first) / plan.intervalMs) + 1) * plan.intervalMs,
      );
    case 'monthly':
      return within(plan, monthAfter(plan, instant));
  }
}

function within({ last = LATEST }: { last?: number }, tick: number): number | undefined {
  return tick <= last ? tick : undefined;
}

/** Counting months as 31 days gives a tick that is not too late, and a few more find the right one. */
function monthAfter({ months, start, first }: Extract<StartTimerPlan, { kind: 'monthly' }>, instant: number): number {
  const from = Math.max(instant + 1, first);
  const tickOf = (number: number) => wholeSecond(addDuration(start, { months: number * months, milliseconds: 0 }));
  let number = Math.max(0, Math.floor((from - start) / (months * LONGEST_MONTH_MS)));
  while (tickOf(number) < from) number += 1;
  return tickOf(number);
}

/** Whether no tick follows `instant`, epoch milliseconds. */
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
  const instant = parseKnownZonedInstant(text);
  if (instant === undefined || instant > LATEST)
    return {
      ok: false,
      expected:
        'an ISO 8601 date and time with a known zone before the year 2100, such as 2026-01-31T09:00:00Z or 2026-01-31T09:00:00[Europe/Berlin]',
    };
  return { ok: true, plan: { kind: 'once', at: wholeSecond(instant) } };
}

function planCycle(text: string, deployed: number): PlannedStartTimer {
  const cycle = parseZonedCycle(text);
  if (!cycle)
    return {
      ok: false,
      expected:
        'an ISO 8601 repetition such as R/PT10M or R/2026-01-31T09:00:00[Europe/Berlin]/P1D (a start needs an offset or a known zone), or a cron expression of six fields such as 0 0 9 * * MON-FRI',
    };
  const interval = parseDuration(cycle.interval)!;
  const start = wholeSecond(cycle.start?.instant ?? deployed);
  const first = cycle.start ? start : wholeSecond(addDuration(deployed, interval));
  if (first > LATEST || first < EARLIEST)
    return { ok: false, expected: 'a repetition that starts in the years 1 to 2099' };
  const zone = cycle.start?.zone ?? 'Z';
  if (followsCalendar(parsePeriod(cycle.interval)!, zone) && (zone !== 'Z' || !comesRound(interval)))
    return planZoned(cycle, start);
  const times = cycle.repetitions === undefined ? undefined : cycle.repetitions - (cycle.start ? 1 : 0);
  const last = times === undefined ? undefined : addDuration(start, timesOf(interval, times));
  const bounds = { first, ...(last !== undefined && last < LATEST && { last }) };
  const { months, milliseconds } = interval;
  if (months !== 0) return { ok: true, plan: { kind: 'monthly', months, start, ...bounds } };
  if (milliseconds < 1000 || milliseconds % 1000 !== 0)
    return { ok: false, expected: 'a repetition with an interval of whole seconds, at least one' };
  return { ok: true, plan: planEvery(milliseconds, bounds, deployed) };
}

/** @param began epoch milliseconds of tick 0, which occurs if the cycle has a start */
function planZoned({ start, interval, repetitions }: Cycle, began: number): PlannedStartTimer {
  const { local, zone } = start ?? { local: began, zone: 'Z' };
  const calendar = { local, zone, tick: 0 };
  const period = parsePeriod(interval)!;
  if (period.milliseconds % 1000 !== 0)
    return { ok: false, expected: 'a repetition with an interval of whole seconds, at least one' };
  const instantOf = (tick: number) =>
    tick === 0 ? began : wholeSecondOf(instantOfTick({ ...calendar, tick }, period));
  const firstTick = start ? 0 : 1;
  const first = instantOf(firstTick)!;
  const last = repetitions === undefined ? undefined : instantOf(firstTick + repetitions - 1);
  const bounds = { first, ...(last !== undefined && last < LATEST && { last }) };
  return { ok: true, plan: { kind: 'zoned', calendar, interval, ...bounds } };
}

/**
 * Ticks before the deployment do not occur, so the first is the next one after it: a scheduler cannot count from any
 * year by any interval. If no second tick occurs before the year 2100, the interval is irrelevant.
 */
function planEvery(
  intervalMs: number,
  { first, last }: { first: number; last?: number },
  deployed: number,
): StartTimerPlan {
  const passed = Math.max(0, Math.ceil((deployed - first) / intervalMs));
  const next = first + passed * intervalMs;
  if (last !== undefined && last < next) return { kind: 'once', at: last };
  if (next > LATEST) return { kind: 'once', at: first };
  if (next + intervalMs > LATEST) return { kind: 'once', at: next };
  return { kind: 'every', intervalMs, first: next, ...(last !== undefined && { last }) };
}

/** Months that divide a year, or whole years; any other interval drifts through the calendar. */
function comesRound({ months, milliseconds }: Duration): boolean {
  return months > 0 && milliseconds === 0 && (MONTHS_PER_YEAR % months === 0 || months % MONTHS_PER_YEAR === 0);
}

function timesOf({ months, milliseconds }: Duration, times: number): Duration {
  return { months: months * times, milliseconds: milliseconds * times };
}

function wholeSecondOf(instant: number | undefined): number | undefined {
  return instant === undefined ? undefined : wholeSecond(instant);
}

function wholeSecond(instant: number): number {
  return Math.ceil(instant / 1000) * 1000;
}
