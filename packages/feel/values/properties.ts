/** Properties of values other than contexts (DMN 1.5 table 65). */
import type { Span } from '../errors.js';
import { FeelRange } from './range.js';
import type { Run } from '../run.js';
import { dayOfWeek } from '../temporal/calendar.js';
import { DaysTimeDuration, FeelDate, FeelDateTime, FeelTime, YearsMonthsDuration } from '../temporal/values.js';
import { describeType, entryOf, isContext, type FeelValue } from './values.js';

type Properties<T> = Record<string, (value: T) => FeelValue>;

const DATE: Properties<FeelDate> = {
  year: (date) => date.year,
  month: (date) => date.month,
  day: (date) => date.day,
  weekday: (date) => dayOfWeek(date.epochDay),
};

const TIME_OFFSET = 'time offset';

function offsetOf(seconds: number): FeelValue {
  return DaysTimeDuration.of(BigInt(seconds) * 1_000_000_000n) ?? null;
}

const TIME: Properties<FeelTime> = {
  hour: (time) => time.hour,
  minute: (time) => time.minute,
  second: (time) => time.second,
  [TIME_OFFSET]: ({ zone }) => (zone !== undefined && 'offset' in zone ? offsetOf(zone.offset) : null),
  timezone: ({ zone }) => (zone !== undefined && 'name' in zone ? zone.name : null),
};

const DATE_TIME: Properties<FeelDateTime> = {};
for (const key of Object.keys(DATE)) DATE_TIME[key] = (value) => DATE[key]!(value.date);
for (const key of Object.keys(TIME)) DATE_TIME[key] = (value) => TIME[key]!(value.time);
/** The date determines the offset of a named time zone. */
DATE_TIME[TIME_OFFSET] = (value) => (value.time.zone === undefined ? null : offsetOf(value.offsetSeconds));

const DAYS_TIME: Properties<DaysTimeDuration> = {
  days: ({ nanos }) => Number(nanos / 86_400_000_000_000n) + 0,
  hours: ({ nanos }) => Number((nanos / 3_600_000_000_000n) % 24n) + 0,
  minutes: ({ nanos }) => Number((nanos / 60_000_000_000n) % 60n) + 0,
  seconds: ({ nanos }) => Number((nanos / 1_000_000_000n) % 60n) + 0,
};

const YEARS_MONTHS: Properties<YearsMonthsDuration> = {
  years: ({ months }) => Math.trunc(months / 12) + 0,
  months: ({ months }) => (months % 12) + 0,
};

const RANGE: Properties<FeelRange> = {
  start: (range) => range.start,
  end: (range) => range.end,
  'start included': (range) => range.startIncluded,
  'end included': (range) => range.endIncluded,
};

function tableOf(value: FeelValue): Properties<never> | undefined {
  if (value instanceof FeelDate) return DATE;
  if (value instanceof FeelDateTime) return DATE_TIME;
  if (value instanceof FeelTime) return TIME;
  if (value instanceof DaysTimeDuration) return DAYS_TIME;
  if (value instanceof YearsMonthsDuration) return YEARS_MONTHS;
  if (value instanceof FeelRange) return RANGE;
  return undefined;
}

/** Entry or property of any value; for a list, of its items. */
export function propertyOf(run: Run, at: Span, value: FeelValue, key: string): FeelValue {
  if (Array.isArray(value)) {
    run.chargeList(value.length, at);
    return value.map((item) => propertyOf(run, at, item, key));
  }
  if (isContext(value)) {
    return (
      entryOf(value, key) ??
      (Object.hasOwn(value, key) ? null : run.fail(at, 'UNRESOLVED_ENTRY', `The context has no entry named "${key}".`))
    );
  }
  if (value === null) return run.fail(at, 'UNRESOLVED_ENTRY', `The entry "${key}" cannot be read from null.`);
  const table = tableOf(value);
  if (table === undefined)
    return run.fail(at, 'TYPE_MISMATCH', `The entry "${key}" cannot be read from ${describeType(value)}.`);
  if (!Object.hasOwn(table, key))
    return run.fail(at, 'UNRESOLVED_ENTRY', `There is no property "${key}" in ${describeType(value)}.`);
  return (table[key] as (value: FeelValue) => FeelValue)(value);
}
