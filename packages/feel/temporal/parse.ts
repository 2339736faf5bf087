/**
 * Parses the lexical forms of XML Schema (as restricted and extended by DMN 1.5). Every parser returns `undefined` for
 * an invalid text.
 */
import {
  DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  NANOS_PER_DAY,
  NANOS_PER_SECOND,
  YearsMonthsDuration,
} from './values.js';
import { parseZone } from './zone.js';

type Temporal = FeelDate | FeelTime | FeelDateTime | DaysTimeDuration | YearsMonthsDuration;

const MAX_TEXT_LENGTH = 120;
const DATE = /^(-?)(\d{4}|[1-9]\d{4,8})-(\d\d)-(\d\d)$/;
// oxlint-disable-next-line perdure/linear-patterns -- no text is longer than 120 characters
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(.*)$/s;
const YEARS_MONTHS = /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?$/;
const DAYS_TIME = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d*))?S)?)?$/;

/** The content of `@"..."`. */
export function parseTemporal(text: string): Temporal | undefined {
  return (
    parseDate(text) ?? parseTime(text) ?? (text.includes('T') ? parseDateTime(text) : undefined) ?? parseDuration(text)
  );
}

export function parseDate(text: string): FeelDate | undefined {
  const match = text.length > MAX_TEXT_LENGTH ? null : DATE.exec(text);
  if (match === null) return undefined;
  const year = Number(match[2]);
  return FeelDate.of(match[1] === '-' ? 0 - year : year, Number(match[3]), Number(match[4]));
}

export function parseTime(text: string): FeelTime | undefined {
  const parsed = parseClock(text);
  return parsed && new FeelTime(parsed.nanos % NANOS_PER_DAY, parsed.zone);
}

/** Hours, minutes, seconds and time zone. `24:00:00` is the end of the day, so `nanos` may be a whole day. */
function parseClock(text: string): { nanos: number; zone: FeelTime['zone'] } | undefined {
  const match = text.length > MAX_TEXT_LENGTH ? null : TIME.exec(text);
  if (match === null) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const fraction = Number((match[4] ?? '').slice(0, 9).padEnd(9, '0'));
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && fraction === 0;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 59) return undefined;
  const zone = match[5] === '' ? undefined : parseZone(match[5] ?? '');
  if (zone === undefined && match[5] !== '') return undefined;
  return { nanos: ((hour * 60 + minute) * 60 + second) * NANOS_PER_SECOND + fraction, zone };
}

export function parseDateTime(text: string): FeelDateTime | undefined {
  const separator = text.indexOf('T');
  if (separator < 0) {
    const date = parseDate(text);
    return date && FeelDateTime.atMidnight(date, undefined);
  }
  const date = parseDate(text.slice(0, separator));
  const clock = parseClock(text.slice(separator + 1));
  if (date === undefined || clock === undefined) return undefined;
  if (clock.nanos < NANOS_PER_DAY) return FeelDateTime.of(date, new FeelTime(clock.nanos, clock.zone));
  const next = FeelDate.ofEpochDay(date.epochDay + 1);
  return next && FeelDateTime.of(next, new FeelTime(0, clock.zone));
}

export function parseDuration(text: string): DaysTimeDuration | YearsMonthsDuration | undefined {
  if (text.length > MAX_TEXT_LENGTH || text.endsWith('P') || text.endsWith('T')) return undefined;
  return parseYearsMonths(text) ?? parseDaysTime(text);
}

function parseYearsMonths(text: string): YearsMonthsDuration | undefined {
  const match = YEARS_MONTHS.exec(text);
  if (match === null) return undefined;
  const months = Number(match[2] ?? 0) * 12 + Number(match[3] ?? 0);
  return YearsMonthsDuration.of(match[1] === '-' ? 0 - months : months);
}

function parseDaysTime(text: string): DaysTimeDuration | undefined {
  const match = DAYS_TIME.exec(text);
  if (match === null) return undefined;
  const [, sign, days, hours, minutes, seconds, fraction] = match;
  const whole =
    BigInt(days ?? 0) * 86_400n + BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n + BigInt(seconds ?? 0);
  const nanos = whole * BigInt(NANOS_PER_SECOND) + BigInt((fraction ?? '').slice(0, 9).padEnd(9, '0'));
  return DaysTimeDuration.of(sign === '-' ? -nanos : nanos);
}
