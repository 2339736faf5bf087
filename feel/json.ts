/** From FEEL values to JSON. The way back needs nothing: JSON values are FEEL values. */
import { Decimal, toDouble } from './decimal.js';
import { formatRange } from './format.js';
import { FeelFunction } from './functions.js';
import { FeelRange } from './range.js';
import { Run } from './run.js';
import { FeelObject, type FeelValue } from './values.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The JSON form of a value: numbers become the nearest JSON number, dates, times and durations their ISO strings, ranges their FEEL text;
 * a function has no JSON form and becomes null.
 */
export function toJson(value: FeelValue): Json {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof FeelObject) return objectToJson(value);
  return Object.fromEntries(Object.keys(value).map((key) => [key, toJson(value[key] ?? null)]));
}

function objectToJson(value: FeelObject): Json {
  if (value instanceof Decimal) return toDouble(value);
  if (value instanceof FeelFunction) return null;
  if (value instanceof FeelRange) return formatRange(new Run({}, { now: 0, mode: 'lenient' }), [0, 0], value);
  return String(value);
}
