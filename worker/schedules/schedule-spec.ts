/** Translates a timer that starts a process into Temporal's schedule format, which supports whole seconds and UTC. */
import type { CalendarSpec, ScheduleSpec } from '@temporalio/client';
import { nextTick, type Cron } from '@perdure/engine/time/cron.js';
import { daysInMonth } from '@perdure/engine/time/iso8601.js';
import { zonedTicks, type StartTimerPlan, type ZonedPlan } from '@perdure/engine/time/start-timer.js';

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;
const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;
const LAST_YEAR = 2099;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Ticks of a plan on the clock of a zone that a schedule has in advance. The smallest period is a day. */
const TICKS_AHEAD = 40;
/** With fewer ticks ahead, the schedule gets the next ones. Temporal shows up to ten. */
const LEAST_TICKS_AHEAD = 10;

/** @param now epoch milliseconds; ticks on the clock of a zone are planned from shortly before */
export function scheduleSpecOf(plan: StartTimerPlan, now: number): ScheduleSpec {
  switch (plan.kind) {
    case 'once':
      return { calendars: [dayOf(new Date(plan.at))] };
    case 'every':
      return {
        intervals: [{ every: plan.intervalMs, offset: modulo(plan.first, plan.intervalMs) }],
        ...boundsOf(plan),
      };
    case 'monthly':
      return { calendars: monthly(new Date(plan.start), plan.months), ...boundsOf(plan) };
    case 'zoned':
      return ticksOf(plan, now);
    case 'cron':
      return { calendars: [calendarOf(plan.cron)], startAt: new Date(plan.after) };
  }
}

/**
 * Whether a schedule needs the next ticks of its plan.
 * @param ahead ticks that Temporal shows
 * @param now epoch milliseconds
 */
export function needsTicks(plan: StartTimerPlan, ahead: number, now: number): boolean {
  if (plan.kind !== 'zoned' || ahead >= LEAST_TICKS_AHEAD) return false;
  return zonedTicks(plan, now, LEAST_TICKS_AHEAD).length > ahead;
}

/**
 * How late a tick can be backfilled after an outage of Temporal, in milliseconds. A date is always backfilled; a
 * repeating timer about once, so that an hour of downtime does not start an instance for each of its seconds.
 */
export function catchupWindowOf(plan: StartTimerPlan): number {
  switch (plan.kind) {
    case 'once':
      return 365 * DAY_MS;
    case 'every':
      return Math.max(plan.intervalMs, MINUTE_MS);
    case 'monthly':
      return 28 * DAY_MS;
    case 'zoned':
      return zonedGapOf(plan);
    case 'cron':
      return Math.max(gapOf(plan.cron, plan.after), MINUTE_MS);
  }
}

/**
 * Each tick by itself, in UTC. Temporal's own zones skip local times that clocks skip, and count those twice that occur
 * twice.
 */
function ticksOf(plan: ZonedPlan, now: number): ScheduleSpec {
  const ticks = zonedTicks(plan, now - catchupWindowOf(plan), TICKS_AHEAD);
  return {
    calendars: ticks.map((tick) => dayOf(new Date(tick))),
    ...(ticks.length > 0 && { endAt: new Date(ticks.at(-1)!) }),
  };
}

function zonedGapOf(plan: ZonedPlan): number {
  const [first, second] = zonedTicks(plan, plan.first, 2);
  return first === undefined || second === undefined ? DAY_MS : Math.min(second - first, 365 * DAY_MS);
}

function gapOf(cron: Cron, after: number): number {
  const first = nextTick(cron, after);
  const second = first === undefined ? undefined : nextTick(cron, first);
  return first === undefined || second === undefined ? 0 : Math.min(second - first, 365 * DAY_MS);
}

function boundsOf({ first, last }: { first: number; last?: number }): Pick<ScheduleSpec, 'startAt' | 'endAt'> {
  return { startAt: new Date(first), ...(last !== undefined && { endAt: new Date(last) }) };
}

function calendarOf({ second, minute, hour, dayOfMonth, month, dayOfWeek }: Cron): CalendarSpec {
  return {
    second,
    minute,
    hour,
    dayOfMonth,
    month: month.map((number) => MONTHS[number - 1]!),
    dayOfWeek: dayOfWeek.map((number) => WEEKDAYS[number]!),
  };
}

function dayOf(day: Date): CalendarSpec {
  return {
    ...timeOf(day),
    year: day.getUTCFullYear(),
    month: MONTHS[day.getUTCMonth()]!,
    dayOfMonth: day.getUTCDate(),
  };
}

function timeOf(day: Date): CalendarSpec {
  return { hour: day.getUTCHours(), minute: day.getUTCMinutes(), second: day.getUTCSeconds() };
}

/** The day of `first` in every `months`-th month from then on. Only February differs from year to year. */
function monthly(first: Date, months: number): CalendarSpec[] {
  const years = months <= 12 ? {} : { year: { start: first.getUTCFullYear(), end: LAST_YEAR, step: months / 12 } };
  return monthsOf(first, months).flatMap((month) => {
    const common = { ...timeOf(first), ...years, month: MONTHS[month - 1]! };
    if (month === 2 && first.getUTCDate() > 28)
      return lastOfFebruary(common, first.getUTCFullYear(), Math.max(months / 12, 1));
    return [{ ...common, dayOfMonth: Math.min(first.getUTCDate(), daysInMonth(2001, month)) }];
  });
}

function monthsOf(first: Date, months: number): number[] {
  const turns = Math.max(1, 12 / months);
  return Array.from({ length: turns }, (_, turn) => ((first.getUTCMonth() + turn * months) % 12) + 1);
}

function lastOfFebruary(common: CalendarSpec, firstYear: number, step: number): CalendarSpec[] {
  const years: number[] = [];
  for (let year = firstYear; year <= LAST_YEAR; year += step) years.push(year);
  const ofDays = (days: number) => years.filter((year) => daysInMonth(year, 2) === days);
  return [28, 29]
    .map((dayOfMonth) => ({ ...common, year: ofDays(dayOfMonth), dayOfMonth }))
    .filter(({ year }) => year.length > 0);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
