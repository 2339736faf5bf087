/** The subset of ISO 8601 that timers use. Integer arithmetic only: no host clock, time zone or locale. */

/** Months and years move along the calendar; smaller units are exact. */
export interface Duration {
  months: number;
  milliseconds: number;
}

const DURATION =
  /^(-)?P(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,7})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,10})(?:\.(\d{1,9}))?S)?)?$/;
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|z|[+-]\d{2}:\d{2})(?:\[[A-Za-z_/+-]+\])?$/;
const DAY_MS = 86_400_000;
/** The start of the year 1: earlier instants have no RFC 3339 form. */
export const EARLIEST_INSTANT = daysFromCivil(1, 1, 1) * DAY_MS;
/** The end of the year 9999: later instants have no ISO 8601 form with a four-digit year. */
export const LATEST_INSTANT = daysFromCivil(10_000, 1, 1) * DAY_MS - 1;

/** A duration with its days apart, because days of a zone can have 23 or 25 hours. */
export interface Period extends Duration {
  days: number;
}

/** `PT1H30M`, `P1M`, `-P1D`; undefined for anything else. */
export function parseDuration(text: string): Duration | undefined {
  const period = parsePeriod(text);
  return period && { months: period.months, milliseconds: period.days * DAY_MS + period.milliseconds };
}

/** Like `parseDuration`; a week is seven days. */
export function parsePeriod(text: string): Period | undefined {
  const parts = DURATION.exec(text);
  if (!parts || text.endsWith('P') || text.endsWith('T')) return undefined;
  const [, sign, years, months, weeks, days, hours, minutes, seconds, fraction] = parts;
  const factor = sign ? -1 : 1;
  const milliseconds =
    Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + Number(seconds ?? 0) * 1000 + fractionMs(fraction);
  return {
    months: factor * (Number(years ?? 0) * 12 + Number(months ?? 0)),
    days: factor * (Number(weeks ?? 0) * 7 + Number(days ?? 0)),
    milliseconds: factor * milliseconds,
  };
}

/** An instant with a time zone in epoch milliseconds; undefined for anything else. */
export function parseInstant(text: string): number | undefined {
  const parts = INSTANT.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = parts;
  const fields = [Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second ?? 0)] as const;
  const [y, m, d, h, min, s] = fields;
  if (m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m) || h > 23 || min > 59 || s > 59) return undefined;
  const offset = offsetMinutes(zone!);
  if (offset === undefined) return undefined;
  return daysFromCivil(y, m, d) * DAY_MS + ((h * 60 + min - offset) * 60 + s) * 1000 + fractionMs(fraction);
}

/** `R3/PT10M`, `R/PT1H`, `R2/2026-01-31T09:00:00Z/P1D`; repetitions are undefined if unlimited. */
export function parseCycle(text: string): { repetitions?: number; start?: number; interval: string } | undefined {
  const parts = /^R(\d{0,9})\/(?:([^/]+)\/)?([^/]+)$/.exec(text);
  if (!parts) return undefined;
  const [, count, startText, interval] = parts;
  const start = startText === undefined ? undefined : parseInstant(startText);
  if (!parseDuration(interval!) || (startText !== undefined && start === undefined) || count === '0') return undefined;
  return {
    interval: interval!,
    ...(count !== '' && { repetitions: Number(count) }),
    ...(start !== undefined && { start }),
  };
}

/** Epoch milliseconds plus a duration. A day that does not exist in the month becomes its last day. */
export function addDuration(instant: number, duration: Duration): number {
  if (duration.months === 0) return instant + duration.milliseconds;
  const dayNumber = Math.floor(instant / DAY_MS);
  const { year, month, day } = civilFromDays(dayNumber);
  const monthIndex = year * 12 + (month - 1) + duration.months;
  const targetYear = Math.floor(monthIndex / 12);
  const targetMonth = monthIndex - targetYear * 12 + 1;
  const days = daysFromCivil(targetYear, targetMonth, Math.min(day, daysInMonth(targetYear, targetMonth)));
  return days * DAY_MS + (instant - dayNumber * DAY_MS) + duration.milliseconds;
}

function fractionMs(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Math.floor(Number(`${fraction}00`.slice(0, 3)));
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 18 || minutes > 59) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar, counted in eras of 400 years that start in March. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The date a number of days after 1970-01-01. */
export function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9);
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** An instant as text in UTC. */
export function textOfInstant(instant: number): string {
  const { year, month, day } = civilFromDays(Math.floor(instant / DAY_MS));
  const ofDay = ((instant % DAY_MS) + DAY_MS) % DAY_MS;
  const digits = (value: number, length = 2) => String(value).padStart(length, '0');
  const hours = Math.floor(ofDay / 3_600_000);
  const minutes = Math.floor(ofDay / 60_000) % 60;
  const seconds = Math.floor(ofDay / 1000) % 60;
  return `${digits(year, 4)}-${digits(month)}-${digits(day)}T${digits(hours)}:${digits(minutes)}:${digits(seconds)}.${digits(ofDay % 1000, 3)}Z`;
}
