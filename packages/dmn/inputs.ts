/** Values that a caller passes as JSON: typed inputs are read by their type; others may declare theirs. */
import { parseTemporal } from '@perdure/feel/temporal/parse.js';
import { isContext, setEntry, typeOf, type FeelContext, type FeelValue } from '@perdure/feel/values/values.js';

/** An error in a given value. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

const MAX_DEPTH = 64;
/**
 * Maximum typed values in a named time zone: loading the rules of a zone takes as long as reading hundreds of other
 * values.
 */
const MAX_ZONED = 1000;
const TEMPORAL_TYPES: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date and time',
  'days and time duration',
  'years and months duration',
]);

/**
 * Reads JSON as a context. `{"@feel": "date", "value": "2026-01-31"}` is a date, and likewise for all types of dates,
 * times and durations (`duration` for either kind).
 *
 * @throws InputError if such a value does not match its type, or the JSON is nested too deeply
 */
export function readContext(json: { readonly [name: string]: unknown }): FeelContext {
  return new Reader().entries(json, 0);
}

class Reader {
  #zoned = 0;

  entries(json: { readonly [name: string]: unknown }, depth: number): FeelContext {
    const context: FeelContext = {};
    for (const key of Object.keys(json)) setEntry(context, key, this.#value(json[key] as FeelValue, depth + 1));
    return context;
  }

  #value(value: FeelValue, depth: number): FeelValue {
    if (typeof value !== 'object' || value === null) return value ?? null;
    if (depth > MAX_DEPTH)
      throw new InputError(`The context is nested more than ${MAX_DEPTH} levels deep. Flatten it.`);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, depth + 1));
    if (!isContext(value)) return value;
    return Object.hasOwn(value, '@feel') ? this.#typed(value) : this.entries(value, depth);
  }

  #typed(value: FeelContext): FeelValue {
    const { '@feel': name, value: text } = value;
    const isKnown = typeof name === 'string' && (TEMPORAL_TYPES.has(name) || name === 'duration');
    if (!isKnown || typeof text !== 'string' || Object.keys(value).length !== 2) {
      throw new InputError(
        `A typed value must be {"@feel": type, "value": text}, where type is one of ${[...TEMPORAL_TYPES].join(', ')}.`,
      );
    }
    if (text.includes('@') && ++this.#zoned > MAX_ZONED) {
      throw new InputError(
        `The context has more than ${MAX_ZONED} typed values in a named time zone. Use offsets instead, such as +02:00.`,
      );
    }
    const parsed = parseTemporal(text);
    const type = typeOf(parsed);
    if (parsed === undefined || (name === 'duration' ? !type.endsWith('duration') : type !== name)) {
      throw new InputError(`The text of a typed value must be a ${name} in FEEL notation.`);
    }
    return parsed;
  }
}
