/** Variables of Camunda 7, which have types, and variables of instances, which are JSON. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { z } from 'zod';
import { problem, type Problem } from '../contract/problem.js';
import { MAX_ON_LOOP_BYTES, readJson, type JsonBodyLimits } from '../http/request/read-json.js';

const typedValue = z.object({
  value: z.unknown(),
  type: z.string().max(255).nullish(),
  valueInfo: z.record(z.string(), z.unknown()).nullish(),
});

export const typedVariables = z.record(z.string(), typedValue).nullish();

export type TypedValue = z.output<typeof typedValue>;
export type TypedVariables = z.output<typeof typedVariables>;

/** JSON in a text, which is read as carefully as a body. */
interface TextOfJson {
  readonly kind: 'text';
  readonly text: string;
}

type Converted = { readonly kind: 'value'; readonly value: unknown } | TextOfJson | { readonly refused: string };

/**
 * The values of typed variables. Later ones replace earlier ones of the same name.
 * @throws TurnRefused, TurnCanceled
 */
export async function readTyped(
  given: readonly TypedVariables[],
  reading: JsonBodyLimits,
): Promise<Record<string, unknown> | Problem<'BAD_REQUEST'>> {
  const values = new Map<string, unknown>();
  const texts = new JsonTexts(reading);
  for (const [name, typed] of given.flatMap((variables) => Object.entries(variables ?? {}))) {
    const converted = convert(typed);
    const found = 'kind' in converted && converted.kind === 'text' ? await texts.read(converted.text) : converted;
    if ('refused' in found)
      return problem('BAD_REQUEST', `The variable ${JSON.stringify(name.slice(0, 100))} ${found.refused}`);
    values.set(name, found.value);
  }
  return Object.fromEntries(values);
}

/** Reads texts one after another, with rounds of the event loop in between for others. */
class JsonTexts {
  readonly #reading: JsonBodyLimits;
  #bytesOfRound = 0;

  constructor(reading: JsonBodyLimits) {
    this.#reading = reading;
  }

  async read(text: string): Promise<{ readonly value: unknown } | { readonly refused: string }> {
    const bytes = new Uint8Array(Buffer.from(text));
    this.#bytesOfRound += bytes.byteLength;
    if (this.#bytesOfRound > MAX_ON_LOOP_BYTES) {
      this.#bytesOfRound = 0;
      await nextRound();
    }
    const read = await readJson(bytes, undefined, this.#reading);
    if (!read.ok) return { refused: `has a text that is not JSON that can be stored: ${read.message}` };
    this.#reading.spendValues(read.values);
    return { value: read.value };
  }
}

const SHORT = { minimum: -32_768, maximum: 32_767 };
const INTEGER = { minimum: -2_147_483_648, maximum: 2_147_483_647 };
/** A larger number may be another one for a reader that keeps doubles. */
const LONG = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function convert({ value, type, valueInfo }: TypedValue): Converted {
  if (value === undefined || value === null) return of(null);
  switch (type?.toLowerCase() ?? '') {
    case '':
      return of(value);
    case 'null':
      return { refused: 'has the type Null and a value' };
    case 'boolean':
    case 'string':
      return typeof value === type!.toLowerCase() ? of(value) : mismatch(type!);
    case 'short':
      return wholeNumber(type!, value, SHORT);
    case 'integer':
      return wholeNumber(type!, value, INTEGER);
    case 'long':
      return wholeNumber(type!, value, LONG);
    case 'double':
    case 'number':
      return typeof value === 'number' ? of(value) : mismatch(type!);
    case 'date':
      return dateOf(value);
    case 'json':
      return ofJson(value);
    case 'xml':
      return typeof value === 'string' ? of(value) : mismatch(type!);
    case 'object':
      return ofObject(value, valueInfo?.['serializationDataFormat']);
    default:
      return { refused: `has the type ${JSON.stringify(type!.slice(0, 100))}, which has no equivalent in JSON` };
  }
}

function of(value: unknown): Converted {
  return { kind: 'value', value };
}

function mismatch(type: string): Converted {
  return { refused: `has a value that is not of its type ${type}` };
}

function wholeNumber(type: string, value: unknown, { minimum, maximum }: typeof LONG): Converted {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum;
  return fits
    ? of(value)
    : {
        refused: `must be a whole number from ${minimum} to ${maximum}, as its type is ${type}. Send others as String`,
      };
}

/** `2026-01-05T08:00:00.000+0000` and ISO 8601 with an offset. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;

function dateOf(value: unknown): Converted {
  const time =
    typeof value === 'string' && instant.test(value)
      ? Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
      : Number.NaN;
  return Number.isNaN(time)
    ? { refused: 'must be a time such as 2026-01-05T08:00:00.000+0000, as its type is Date' }
    : of(new Date(time).toISOString());
}

function ofJson(value: unknown): Converted {
  return typeof value === 'string' ? { kind: 'text', text: value } : of(value);
}

function ofObject(value: unknown, format: unknown): Converted {
  if (typeof value !== 'string' || format === 'application/json') return ofJson(value);
  if (format === 'application/xml') return of(value);
  return { refused: 'is a serialized object. Serialize it as application/json' };
}

/** The typed variables of a task. */
export function toTyped(variables: Readonly<Record<string, unknown>>): Record<string, TypedValue> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typed(value)]));
}

function typed(value: unknown): TypedValue {
  if (typeof value === 'object' && value !== null) return { type: 'Json', value: JSON.stringify(value), valueInfo: {} };
  return { type: typeOf(value), value, valueInfo: {} };
}

function typeOf(value: unknown): string {
  if (value === null) return 'Null';
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'string') return 'String';
  if (!Number.isSafeInteger(value)) return 'Double';
  return Math.abs(value as number) <= INTEGER.maximum ? 'Integer' : 'Long';
}
