/** Values that a caller gives, as JSON: typed ones are read by their type, others may say theirs. */
import { parseTemporal } from '../feel/temporal/parse.js';
import { isContext, setEntry, typeOf, type FeelContext, type FeelValue } from '../feel/values.js';

/** What is wrong with a given value. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

const MAX_DEPTH = 64;
const TEMPORAL_TYPES: ReadonlySet<string> = new Set(['date', 'time', 'date and time', 'days and time duration', 'years and months duration']);

/**
 * Reads JSON as a context. `{"@feel": "date", "value": "2026-01-31"}` is a date, and so on for every type of dates, times and durations
 * (`duration` for either kind).
 *
 * @throws InputError when such a value is not what it says, or the JSON is nested too deeply
 */
export function readContext(json: { readonly [name: string]: unknown }): FeelContext {
  return readEntries(json, 0);
}

function readEntries(json: { readonly [name: string]: unknown }, depth: number): FeelContext {
  const context: FeelContext = {};
  for (const key of Object.keys(json)) setEntry(context, key, read(json[key] as FeelValue, depth + 1));
  return context;
}

function read(value: FeelValue, depth: number): FeelValue {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth > MAX_DEPTH) throw new InputError(`The context is nested more than ${MAX_DEPTH} levels deep.`);
  if (Array.isArray(value)) return value.map((item) => read(item, depth + 1));
  if (!isContext(value)) return value;
  return Object.hasOwn(value, '@feel') ? readTyped(value) : readEntries(value, depth);
}

function readTyped(value: FeelContext): FeelValue {
  const { '@feel': name, value: text } = value;
  const isKnown = typeof name === 'string' && (TEMPORAL_TYPES.has(name) || name === 'duration');
  if (!isKnown || typeof text !== 'string' || Object.keys(value).length !== 2) {
    throw new InputError(`A typed value is {"@feel": type, "value": text}, where the type is one of ${[...TEMPORAL_TYPES].join(', ')}.`);
  }
  const parsed = parseTemporal(text);
  const type = typeOf(parsed);
  if (parsed === undefined || (name === 'duration' ? !type.endsWith('duration') : type !== name)) {
    throw new InputError(`The text of a typed value must be a ${name} as FEEL writes it.`);
  }
  return parsed;
}
