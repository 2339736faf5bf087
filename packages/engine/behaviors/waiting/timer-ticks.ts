/** The ticks of timers that repeat. */
import { nextID, record, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { nextTick, parseCron } from '../../time/cron.js';
import { instantOfTick, laterTick, lastTickBy, type CalendarTick } from '../../time/cycle.js';
import { localOfInstant } from '../../time/zoned.js';
import { addDuration, LATEST_INSTANT, parseDuration, parsePeriod, type Duration } from '../../time/iso8601.js';

/** `due` in epoch milliseconds; `interval` of a cycle is an ISO 8601 duration or a cron expression. */
export interface TimerPlan {
  due: number;
  interval?: string;
  remaining?: number;
  /** Of a cycle that moves along a calendar: the tick at `due`. */
  calendar?: CalendarTick;
}

type Tick = Pick<TimerPlan, 'due' | 'calendar'>;

/** Starts the next interval of a cycle that has just fired at `fired.due`; does nothing after the last one. */
export function rearm(run: Run, element: ElementInstance, node: string, fired: TimerPlan): void {
  if (fired.interval === undefined) return;
  const next = tickAfter(fired, fired.interval);
  if (next === undefined) return;
  const remaining = fired.remaining === undefined ? undefined : fired.remaining - passed(fired, next);
  if (remaining !== undefined && remaining < 1) return;
  record(run, {
    kind: 'TIMER_STARTED',
    timer: nextID(run),
    element: element.id,
    node,
    ...next,
    interval: fired.interval,
    ...(remaining !== undefined && { remaining }),
  });
}

/** The number of ticks from one to the next: those at the same instant count, though they fire once. */
function passed(from: Tick, to: Tick): number {
  return from.calendar && to.calendar ? to.calendar.tick - from.calendar.tick : 1;
}

/** Undefined if no further tick exists. */
export function tickAfter({ due, calendar }: Tick, interval: string): Tick | undefined {
  if (calendar) {
    const tick = laterTick(calendar, due, parsePeriod(interval)!);
    return tick === undefined ? undefined : calendarTick({ ...calendar, tick }, interval);
  }
  const next = dueAfter(due, interval);
  return next === undefined ? undefined : { due: next };
}

/** A tick of a cycle that moves along a calendar, other than tick 0; undefined after the year 9999. */
export function calendarTick(calendar: CalendarTick, interval: string): Tick | undefined {
  const due = instantOfTick(calendar, parsePeriod(interval)!);
  return due === undefined ? undefined : { due, calendar };
}

/** Lets the ticks of a cycle count from another instant, epoch milliseconds, along the same calendar. */
export function startAt(due: number, { zone }: CalendarTick): CalendarTick {
  return { local: localOfInstant(due, zone), zone, tick: 0 };
}

/** Undefined if no further tick exists. */
export function dueAfter(due: number, interval: string): number | undefined {
  const duration = parseDuration(interval);
  if (duration) {
    const next = addDuration(due, duration);
    return next > LATEST_INSTANT ? undefined : next;
  }
  const cron = parseCron(interval);
  return cron && nextTick(cron, due);
}

/**
 * The rest of a cycle that has missed ticks (in a pause, or before it started): the last tick due by `now`, and the
 * number of firings left including it. Undefined if only its next tick is due.
 */
export function lastTick(plan: TimerPlan, now: number): (Tick & { remaining?: number }) | undefined {
  const { interval, remaining, calendar } = plan;
  const next = interval === undefined ? undefined : tickAfter(plan, interval);
  if (next === undefined || next.due > now || remaining === 1) return undefined;
  const most = (remaining ?? Infinity) - 1;
  if (calendar) {
    const last = lastTickBy(calendar, parsePeriod(interval!)!, now, most);
    const missed = last.tick - calendar.tick;
    return { ...calendarTick(last, interval!)!, ...(remaining !== undefined && { remaining: remaining - missed }) };
  }
  const duration = parseDuration(interval!);
  // A cron expression can continue from any time and has no count.
  if (!duration) return { due: now };
  const { missed, due } = lastFromTickToTick(plan.due, duration, now, most);
  return { due, ...(remaining !== undefined && { remaining: remaining - missed }) };
}

/** Months count from the last tick only in instances without the flag `cyclesCountFromTheirStart`. */
function lastFromTickToTick(
  from: number,
  duration: Duration,
  now: number,
  most: number,
): { missed: number; due: number } {
  if (duration.months === 0) {
    const missed = Math.min(Math.floor((now - from) / duration.milliseconds), most);
    return { missed, due: from + missed * duration.milliseconds };
  }
  let missed = 1;
  let due = addDuration(from, duration);
  for (let later = addDuration(due, duration); later <= now && missed < most; later = addDuration(later, duration)) {
    due = later;
    missed += 1;
  }
  return { missed, due };
}
