/** Conversion functions (DMN 1.5 table 69). */
import { isInteger, MAX_TEXT_LENGTH, parseNumber, partsOf, toDouble, type FeelNumber } from '../values/decimal.js';
import { formatString } from '../values/format.js';
import { chargeZone } from '../values/order.js';
import { parseDate, parseDateTime, parseDuration, parseTime } from '../temporal/parse.js';
import { monthsBetween } from '../temporal/arithmetic.js';
import {
  type DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  NANOS_PER_SECOND,
  YearsMonthsDuration,
} from '../temporal/values.js';
import { FARTHEST_OFFSET, namedZone, parseZone, UTC, type Zone } from '../temporal/zone.js';
import { entryOf, isContext, setEntry, type FeelContext, type FeelValue } from '../values/values.js';
import { rangeFromText } from './range-text.js';
import {
  any,
  daysTime,
  ENTRY_STEPS,
  form,
  invalid,
  list,
  moment,
  nullable,
  number,
  oneOf,
  string,
  type Builtin,
  type Call,
} from './define.js';

/** Cost of reading a text; finding the rules of a named time zone costs most. */
const PARSE_STEPS = 10;
const ZONE_STEPS = 200;

function parsed<T extends FeelValue>(
  parse: (text: string) => T | undefined,
  what: string,
): (call: Call, text: string) => FeelValue {
  return (call, text) => {
    call.run.charge(text.includes('@') ? ZONE_STEPS : PARSE_STEPS, call.at);
    return parse(text) ?? invalid(call, `the text is not a valid ${what}.`);
  };
}

/** An integer for a part of a date or time, otherwise NaN, which every part rejects. */
function whole(value: FeelNumber): number {
  return isInteger(value) ? toDouble(value) : Number.NaN;
}

function dateOf(call: Call, year: FeelNumber, month: FeelNumber, day: FeelNumber): FeelValue {
  return FeelDate.of(whole(year), whole(month), whole(day)) ?? invalid(call, 'this day does not exist.');
}

/** Nanoseconds of the day; undefined if the time does not exist. */
function nanosOf(hour: FeelNumber, minute: FeelNumber, second: FeelNumber): number | undefined {
  const [h, m] = [whole(hour), whole(minute)];
  const { coefficient, exponent } = partsOf(second);
  const nanos =
    exponent >= -9
      ? Number(coefficient) * 10 ** (exponent + 9)
      : Math.trunc(Number(coefficient) / 10 ** (-9 - exponent));
  const isTime = h >= 0 && h <= 23 && m >= 0 && m <= 59 && nanos >= 0 && nanos < 60 * NANOS_PER_SECOND;
  return isTime ? (h * 60 + m) * 60 * NANOS_PER_SECOND + Math.round(nanos) : undefined;
}

function zoneOf(offset: DaysTimeDuration | undefined): Zone | undefined | 'invalid' {
  if (offset === undefined) return undefined;
  const seconds = Number(offset.nanos / BigInt(NANOS_PER_SECOND));
  return Math.abs(seconds) <= FARTHEST_OFFSET ? { offset: seconds } : 'invalid';
}

function timeOf(
  call: Call,
  hour: FeelNumber,
  minute: FeelNumber,
  second: FeelNumber,
  offset: DaysTimeDuration | undefined,
): FeelValue {
  const nanos = nanosOf(hour, minute, second);
  const zone = zoneOf(offset);
  return nanos === undefined || zone === 'invalid'
    ? invalid(call, 'this time does not exist.')
    : new FeelTime(nanos, zone);
}

function timeFrom(from: FeelDate | FeelDateTime | FeelTime): FeelValue {
  if (from instanceof FeelDate) return new FeelTime(0, UTC);
  return from instanceof FeelDateTime ? from.time : from;
}

function dateTimeFrom(call: Call, day: FeelDate | FeelDateTime, time: FeelTime): FeelValue {
  chargeZone(call.run, call.at, time);
  return (
    FeelDateTime.of(day instanceof FeelDateTime ? day.date : day, time) ??
    invalid(call, 'this date and time does not exist.')
  );
}

type DateTimeParts = [
  year: FeelNumber,
  month: FeelNumber,
  day: FeelNumber,
  hour: FeelNumber,
  minute: FeelNumber,
  second: FeelNumber,
];

function dateTimeOf(
  call: Call,
  zone: Zone | undefined | 'invalid',
  [year, month, day, hour, minute, second]: DateTimeParts,
): FeelValue {
  const date = FeelDate.of(whole(year), whole(month), whole(day));
  const nanos = nanosOf(hour, minute, second);
  if (date === undefined || nanos === undefined || zone === 'invalid')
    return invalid(call, 'this date and time does not exist.');
  return FeelDateTime.of(date, new FeelTime(nanos, zone)) ?? invalid(call, 'this date and time does not exist.');
}

const PARTS = [
  number('year'),
  number('month'),
  number('day'),
  number('hour'),
  number('minute'),
  number('second'),
] as const;

/**
 * DMN's rules for separators: the grouping separator is a space, period or comma, the decimal separator a period or
 * comma, and they differ.
 */
function numberFrom(call: Call, from: string, grouping: string | undefined, point: string | undefined): FeelValue {
  const group = grouping ?? '';
  const sign = point ?? '.';
  if (!['', ' ', '.', ','].includes(group) || !['.', ','].includes(sign) || group === sign) {
    return invalid(
      call,
      'the grouping separator must be a space, a comma or a period, the decimal separator a comma or a period, and they must differ.',
    );
  }
  if (from.length > MAX_TEXT_LENGTH)
    return invalid(call, `the text is not a number: it has more than ${MAX_TEXT_LENGTH} characters.`);
  call.run.charge(from.length >> 2, call.at);
  const plain = (group === '' ? from : from.replaceAll(group, '')).replace(sign, '.');
  if (sign === ',' && from.includes('.') && group !== '.') return invalid(call, 'the text is not a number.');
  const value = parseNumber(plain);
  return value ?? invalid(call, 'the text is not a number.');
}

function contextOf(call: Call, entries: FeelValue[]): FeelValue {
  const result: FeelContext = {};
  call.run.charge(entries.length * ENTRY_STEPS, call.at);
  for (const entry of entries) {
    const key = isContext(entry) ? entryOf(entry, 'key') : undefined;
    const value = isContext(entry) ? entryOf(entry, 'value') : undefined;
    if (typeof key !== 'string' || value === undefined)
      return invalid(call, 'each entry needs a "key" that is a string, and a "value".');
    if (Object.hasOwn(result, key)) return invalid(call, 'two entries have the same key.');
    setEntry(result, key, value);
  }
  return result;
}

function monthsDuration(call: Call, from: FeelDate | FeelDateTime, to: FeelDate | FeelDateTime): FeelValue {
  const [start, end] = [from, to].map((moment) => (moment instanceof FeelDateTime ? moment.date : moment)) as [
    FeelDate,
    FeelDate,
  ];
  return YearsMonthsDuration.of(monthsBetween(start, end)) ?? invalid(call, 'the two dates are too far apart.');
}

function zoneByName(call: Call, name: string): Zone | 'invalid' {
  call.run.charge(ZONE_STEPS, call.at);
  return namedZone(name) ?? parseZone(name) ?? 'invalid';
}

export const CONVERSION_FUNCTIONS: Record<string, Builtin> = {
  date: [
    form([string('from')], parsed(parseDate, 'date')),
    form([moment('from')], (_call, from) => (from instanceof FeelDateTime ? from.date : from)),
    form([number('year'), number('month'), number('day')], dateOf),
  ],
  time: [
    form([string('from')], parsed(parseTime, 'time')),
    form([oneOf<FeelDate | FeelDateTime | FeelTime>('from', 'time', 'date and time', 'date')], (_call, from) =>
      timeFrom(from),
    ),
    form([number('hour'), number('minute'), number('second'), nullable(daysTime('offset'))], timeOf),
  ],
  'date and time': [
    form([string('from')], parsed(parseDateTime, 'date and time')),
    form([moment('from')], (_call, from) => (from instanceof FeelDate ? FeelDateTime.atMidnight(from, UTC) : from)),
    form([moment('date'), oneOf<FeelTime>('time', 'time')], dateTimeFrom),
    form([moment('date'), string('timezone')], (call, day, name) => {
      const zone = zoneByName(call, name);
      if (zone === 'invalid') return invalid(call, 'this time zone does not exist.');
      return dateTimeFrom(call, day, new FeelTime(day instanceof FeelDateTime ? day.time.nanos : 0, zone));
    }),
    form(PARTS, (call, ...parts) => dateTimeOf(call, undefined, parts)),
    form([...PARTS, daysTime('offset')], (call, ...[year, month, day, hour, minute, second, offset]) =>
      dateTimeOf(call, zoneOf(offset), [year, month, day, hour, minute, second]),
    ),
    form([...PARTS, string('timezone')], (call, ...[year, month, day, hour, minute, second, name]) =>
      dateTimeOf(call, zoneByName(call, name), [year, month, day, hour, minute, second]),
    ),
  ],
  duration: [
    form([string('from')], parsed(parseDuration, 'duration')),
    form(
      [oneOf<DaysTimeDuration | YearsMonthsDuration>('from', 'days and time duration', 'years and months duration')],
      (_call, from) => from,
    ),
  ],
  'years and months duration': [form([moment('from'), moment('to')], monthsDuration)],
  number: [
    form([string('from')], (call, from) => numberFrom(call, from, undefined, undefined)),
    form([oneOf<FeelNumber>('from', 'number')], (_call, from) => from),
    form([string('from'), nullable(string('grouping separator')), nullable(string('decimal separator'))], numberFrom),
  ],
  string: [form([any('from')], (call, from) => (from === null ? null : formatString(call.run, call.at, from)))],
  context: [form([list('entries')], contextOf)],
  range: [form([string('from')], rangeFromText)],
};
