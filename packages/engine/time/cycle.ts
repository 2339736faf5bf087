/**
 * Cycles. Tick n is the start plus n times the period, counted from the start: months that are too short shorten no later
 * tick. Years, months, weeks, and days move the clock of the zone; hours, minutes, and seconds are exact (as in
 * `Temporal.ZonedDateTime.add`). Where clocks change, the rules of dates in named zones apply (ADR 111).
 */
import { addDuration, LATEST_INSTANT, parsePeriod, type Period } from './iso8601.js';
import { instantOfLocal, parseCycleStart, type CycleStart } from './zoned.js';

const DAY_MS = 86_400_000;
const CYCLE = /^R(\d{0,9})\/(?:(.{1,120})\/)?([^/]{1,120})$/;

/** `R3/PT10M`, `R/2026-01-31T09:00:00[Europe/Berlin]/P1D`; `repetitions` and `start` are absent if not given. */
export interface Cycle {
  repetitions?: number;
  start?: CycleStart;
  interval: string;
}

/** A tick of a cycle that moves along a calendar. */
export interface CalendarTick {
  /** Local time of tick 0 in epoch milliseconds, as if it were UTC. */
  local: number;
  /** `Z`, `+01:00`, or `@Europe/Berlin`. */
  zone: string;
  /** The number of the tick. */
  tick: number;
}

/** Undefined for anything else, including an unknown zone and a period that is not longer than zero. */
export function parseZonedCycle(text: string): Cycle | undefined {
  const [, count, startText, interval] = CYCLE.exec(text) ?? [];
  const start = startText === undefined ? undefined : parseCycleStart(startText);
  const period = interval === undefined ? undefined : parsePeriod(interval);
  if (!period || !isLongerThanZero(period) || (startText !== undefined && !start) || count === '0') return undefined;
  return { interval: interval!, ...(count !== '' && { repetitions: Number(count) }), ...(start && { start }) };
}

/** Whether instants of ticks depend on a calendar. In UTC and at an offset, days are exact. */
export function followsCalendar({ months, days }: Period, zone: string): boolean {
  return months !== 0 || (days !== 0 && zone.startsWith('@'));
}

/**
 * Epoch milliseconds of a tick; undefined after the year 9999.
 * @param at a tick other than 0, whose instant is that of the start
 */
export function instantOfTick(
  { local, zone, tick }: CalendarTick,
  { months, days, milliseconds }: Period,
): number | undefined {
  const moved = addDuration(local, { months: months * tick, milliseconds: days * DAY_MS * tick });
  if (moved > LATEST_INSTANT + DAY_MS) return undefined;
  const instant = instantOfLocal(moved, zone) + milliseconds * tick;
  return instant > LATEST_INSTANT ? undefined : instant;
}

/**
 * The first tick after `from` that is later than `due`, its own instant. Ticks at one instant are one: clocks that skip a
 * day let the tick of that day and the next one come together.
 */
export function laterTick(from: CalendarTick, due: number, period: Period): number | undefined {
  for (let tick = from.tick + 1; ; tick += 1) {
    const instant = instantOfTick({ ...from, tick }, period);
    if (instant === undefined) return undefined;
    if (instant > due) return tick;
  }
}

/**
 * The last tick that is due by `now`, epoch milliseconds; `from` itself if no later one is.
 * @param most maximum number of ticks after `from`
 */
export function lastTickBy(from: CalendarTick, period: Period, now: number, most = Infinity): CalendarTick {
  const isDue = (tick: number) => (instantOfTick({ ...from, tick }, period) ?? Infinity) <= now;
  let step = 1;
  while (step <= most && isDue(from.tick + step)) step *= 2;
  let due = from.tick + Math.floor(step / 2);
  let notDue = from.tick + Math.min(step, most + 1);
  while (notDue - due > 1) {
    const middle = Math.floor((due + notDue) / 2);
    if (isDue(middle)) due = middle;
    else notDue = middle;
  }
  return { ...from, tick: due };
}

function isLongerThanZero({ months, days, milliseconds }: Period): boolean {
  return months + days + milliseconds > 0;
}
