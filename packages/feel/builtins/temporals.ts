/** Date and time functions (DMN 1.5 tables 76 and 77, and those that Camunda adds). */
import { dayOfWeek, daysInMonth, toEpochDay, weekOfYear } from '../temporal/calendar.js';
import { FeelDate, FeelDateTime } from '../temporal/values.js';
import { namedZone, parseZone, UTC, type Zone } from '../temporal/zone.js';
import type { FeelValue } from '../values/values.js';
import { form, invalid, moment, type Builtin, type Call } from './define.js';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const NOW_STEPS = 20;
const NANOS_PER_MILLISECOND = 1_000_000n;

function dayOf(from: FeelDate | FeelDateTime): FeelDate {
  return from instanceof FeelDateTime ? from.date : from;
}

/** The time zone of the evaluation (default UTC). */
function zoneOf(call: Call): Zone | undefined {
  const { zone } = call.run.environment;
  if (zone === undefined || zone === 'UTC') return UTC;
  return parseZone(zone) ?? namedZone(zone);
}

/** The time of the evaluation, provided by the host: this code has no clock. */
function now(call: Call): FeelDateTime | null {
  call.run.charge(NOW_STEPS, call.at);
  const zone = zoneOf(call);
  if (zone === undefined) return invalid(call, 'the time zone of the host is unknown.');
  const nanos = BigInt(Math.floor(call.run.environment.now)) * NANOS_PER_MILLISECOND;
  return FeelDateTime.ofEpochNanos(nanos, zone) ?? invalid(call, 'the time is out of range.');
}

function ofDay(body: (date: FeelDate) => FeelValue): Builtin {
  return [form([moment('date')], (_call, date) => body(dayOf(date)))];
}

export const TEMPORAL_FUNCTIONS: Record<string, Builtin> = {
  now: [form([], now)],
  today: [form([], (call) => now(call)?.date ?? null)],
  'day of year': ofDay((date) => date.epochDay - toEpochDay(date.year, 1, 1) + 1),
  'day of week': ofDay((date) => DAYS[dayOfWeek(date.epochDay) - 1] ?? null),
  'month of year': ofDay((date) => MONTHS[date.month - 1] ?? null),
  'week of year': ofDay((date) => weekOfYear(date.epochDay)),
  'last day of month': ofDay((date) => FeelDate.of(date.year, date.month, daysInMonth(date.year, date.month)) ?? null),
};
