/**
 * Cron expressions as used in Camunda 8: six fields - second, minute, hour, day of month, month, day of week - or a
 * macro (`@daily`). All fields must match, in UTC. Integer arithmetic only, no host clock.
 */
import { civilFromDays } from './iso8601.js';

/** Allowed values of each field, ascending. Days of the week count from Sunday, 0. */
export interface Cron {
  second: number[];
  minute: number[];
  hour: number[];
  dayOfMonth: number[];
  month: number[];
  dayOfWeek: number[];
}

interface Field {
  name: keyof Cron;
  first: number;
  last: number;
  /** From `first` on. */
  names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const;
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

const FIELDS: readonly Field[] = [
  { name: 'second', first: 0, last: 59 },
  { name: 'minute', first: 0, last: 59 },
  { name: 'hour', first: 0, last: 23 },
  { name: 'dayOfMonth', first: 1, last: 31 },
  { name: 'month', first: 1, last: 12, names: MONTHS },
  // Sunday is 0 and 7.
  { name: 'dayOfWeek', first: 0, last: 7, names: WEEKDAYS },
];

const WORDS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 0 1 1 *'],
  ['@annually', '0 0 0 1 1 *'],
  ['@monthly', '0 0 0 1 * *'],
  ['@weekly', '0 0 0 * * 0'],
  ['@daily', '0 0 0 * * *'],
  ['@midnight', '0 0 0 * * *'],
  ['@hourly', '0 0 * * * *'],
]);

const LONGEST = 255;
const SECONDS_PER_DAY = 86_400;
/** February 29 falls on a given weekday every 28 years, or every 40 around a century that is not a leap year. */
const MAX_DAYS_AHEAD = 41 * 366;

/** Undefined for anything else, including an expression that never matches (`0 0 0 30 2 *`). */
export function parseCron(text: string): Cron | undefined {
  if (text.length > LONGEST) return undefined;
  const written = text.trim().toUpperCase();
  const parts = (WORDS.get(written.toLowerCase()) ?? written).split(/\s+/);
  if (parts.length !== FIELDS.length) return undefined;
  const cron: Partial<Cron> = {};
  for (const [index, field] of FIELDS.entries()) {
    const allowed = allowedBy(parts[index]!, field);
    if (!allowed) return undefined;
    cron[field.name] = allowed;
  }
  const complete = {
    ...(cron as Cron),
    dayOfWeek: [...new Set(cron.dayOfWeek!.map((day) => day % 7))].toSorted((a, b) => a - b),
  };
  return nextTick(complete, 0) === undefined ? undefined : complete;
}

/** The first whole second after `after` that matches; both in epoch milliseconds. Undefined if none exists. */
export function nextTick(cron: Cron, after: number): number | undefined {
  const from = Math.floor(after / 1000) + 1;
  const firstDay = Math.floor(from / SECONDS_PER_DAY);
  for (let day = firstDay; day <= firstDay + MAX_DAYS_AHEAD; day += 1) {
    if (!matchesDay(cron, day)) continue;
    const second = secondOfDay(cron, day === firstDay ? from - day * SECONDS_PER_DAY : 0);
    if (second !== undefined) return (day * SECONDS_PER_DAY + second) * 1000;
  }
  return undefined;
}

function allowedBy(text: string, field: Field): number[] | undefined {
  const allowed = new Set<number>();
  for (const part of text.split(',')) {
    const range = rangeOf(part, field);
    if (!range) return undefined;
    for (let value = range.from; value <= range.to; value += range.step) allowed.add(value);
  }
  return [...allowed].toSorted((a, b) => a - b);
}

function rangeOf(part: string, field: Field): { from: number; to: number; step: number } | undefined {
  const written = /^(\*|\?|\w+)(?:-(\w+))?(?:\/(\d{1,2}))?$/.exec(part);
  if (!written) return undefined;
  const [, start, end, every] = written;
  const step = every === undefined ? 1 : Number(every);
  const isAny = start === '*' || (start === '?' && field.name.startsWith('day'));
  if (isAny)
    return end === undefined && step > 0
      ? { from: field.first, to: field.name === 'dayOfWeek' ? 6 : field.last, step }
      : undefined;
  const from = numberOf(start!, field);
  const to = end === undefined ? (every === undefined ? from : field.last) : numberOf(end, field);
  return from === undefined || to === undefined || from > to || step === 0 ? undefined : { from, to, step };
}

function numberOf(text: string, { first, last, names = [] }: Field): number | undefined {
  const named = names.indexOf(text);
  const value = named === -1 ? (/^\d{1,2}$/.test(text) ? Number(text) : NaN) : first + named;
  return value >= first && value <= last ? value : undefined;
}

function matchesDay(cron: Cron, dayNumber: number): boolean {
  const { month, day } = civilFromDays(dayNumber);
  // 1970-01-01 was a Thursday.
  return (
    cron.month.includes(month) &&
    cron.dayOfMonth.includes(day) &&
    cron.dayOfWeek.includes((((dayNumber + 4) % 7) + 7) % 7)
  );
}

function secondOfDay({ hour, minute, second }: Cron, from: number): number | undefined {
  for (const h of hour) {
    if (h * 3600 + 3599 < from) continue;
    for (const m of minute) {
      if (h * 3600 + m * 60 + 59 < from) continue;
      const s = second.find((candidate) => h * 3600 + m * 60 + candidate >= from);
      if (s !== undefined) return h * 3600 + m * 60 + s;
    }
  }
  return undefined;
}
