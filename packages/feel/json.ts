/**
 * Conversion between FEEL values and JSON. JSON values are FEEL values already; only a declared type turns strings into
 * dates and durations.
 */
import { Decimal, toDouble } from './values/decimal.js';
import { formatRange } from './values/format.js';
import { FeelFunction } from './functions.js';
import { FeelRange } from './values/range.js';
import { Run } from './run.js';
import { parseDate, parseDateTime, parseDuration, parseTime } from './temporal/parse.js';
import type { FeelType } from './values/feel-type.js';
import { coerce } from './values/types.js';
import {
  copyContext,
  entryOf,
  FeelObject,
  isContext,
  setEntry,
  type FeelContext,
  type FeelValue,
} from './values/values.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The JSON form of a value: numbers become the nearest JSON number, dates, times and durations their ISO strings, ranges their FEEL text;
 * a function has no JSON form and becomes null.
 */
export function toJson(value: FeelValue): Json {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof FeelObject) return objectToJson(value);
  const context: FeelContext = {};
  for (const key of Object.keys(value)) setEntry(context, key, toJson(value[key] ?? null));
  return context as { [key: string]: Json };
}

function objectToJson(value: FeelObject): Json {
  if (value instanceof Decimal) return toDouble(value);
  if (value instanceof FeelFunction) return null;
  if (value instanceof FeelRange) return formatRange(new Run({}, { now: 0, mode: 'lenient' }), [0, 0], value);
  return String(value);
}

const READERS: Partial<Record<string, (text: string) => FeelValue | undefined>> = {
  date: parseDate,
  time: parseTime,
  'date and time': parseDateTime,
  duration: parseDuration,
  'days and time duration': parseDuration,
  'years and months duration': parseDuration,
};

/**
 * Reads a JSON value by a declared type: strings become dates, times and durations where the type requires them, and
 * the result is converted to the type like in `coerce`. `undefined` if the value does not have the type.
 *
 * @param charge called with the steps that each part costs; may throw to end the conversion
 */
export function fromJson(value: FeelValue, type: FeelType, charge: Charge = free): FeelValue | undefined {
  return coerce(readByType(value, type, charge), type, () => charge(1));
}

type Charge = (steps: number) => void;

const free: Charge = () => {};
/** Finding the rules of a named time zone costs far more than reading the text. */
const ZONE_STEPS = 200;

function readByType(value: FeelValue, type: FeelType, charge: Charge): FeelValue {
  if (type.kind === 'list' && Array.isArray(value)) return value.map((item) => readByType(item, type.element, charge));
  if (type.kind === 'list') return readByType(value, type.element, charge);
  if (type.kind === 'context' && isContext(value)) {
    charge(Object.keys(value).length);
    const copy = copyContext(value);
    for (const { name, type: entryType } of type.entries) {
      const entry = entryOf(value, name);
      if (entry !== undefined) setEntry(copy, name, readByType(entry, entryType, charge));
    }
    return copy;
  }
  const read = type.kind === 'simple' && typeof value === 'string' ? READERS[type.name] : undefined;
  if (read === undefined) return value;
  charge((value as string).includes('@') ? ZONE_STEPS : 1);
  return read(value as string) ?? value;
}
