/** Between FEEL values and JSON. JSON values are FEEL values as they are; only a declared type makes dates and durations of strings. */
import { Decimal, toDouble } from './decimal.js';
import { formatRange } from './format.js';
import { FeelFunction } from './functions.js';
import { FeelRange } from './range.js';
import { Run } from './run.js';
import { parseDate, parseDateTime, parseDuration, parseTime } from './temporal/parse.js';
import { coerce, type FeelType } from './types.js';
import { copyContext, entryOf, FeelObject, isContext, setEntry, type FeelValue } from './values.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The JSON form of a value: numbers become the nearest JSON number, dates, times and durations their ISO strings, ranges their FEEL text;
 * a function has no JSON form and becomes null.
 */
export function toJson(value: FeelValue): Json {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof FeelObject) return objectToJson(value);
  // `fromEntries` defines own entries, so that even `__proto__` stays a name.
  return Object.fromEntries(Object.keys(value).map((key) => [key, toJson(value[key] ?? null)]));
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
 * Reads a JSON value by a declared type: strings become dates, times and durations where the type asks for them, and the result is fitted
 * to the type as `coerce` does. `undefined` when the value is not of the type.
 */
export function fromJson(value: FeelValue, type: FeelType): FeelValue | undefined {
  return coerce(readByType(value, type), type);
}

function readByType(value: FeelValue, type: FeelType): FeelValue {
  if (type.kind === 'list' && Array.isArray(value)) return value.map((item) => readByType(item, type.element));
  if (type.kind === 'list') return readByType(value, type.element);
  if (type.kind === 'context' && isContext(value)) {
    const copy = copyContext(value);
    for (const { name, type: entryType } of type.entries) {
      const entry = entryOf(value, name);
      if (entry !== undefined) setEntry(copy, name, readByType(entry, entryType));
    }
    return copy;
  }
  if (type.kind !== 'simple' || typeof value !== 'string') return value;
  return READERS[type.name]?.(value) ?? value;
}
