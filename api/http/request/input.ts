/** Validates the raw request against the schemas of an operation: path parameters, query, and body. */
import type { z } from 'zod';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Operation } from '../../commands/operation.js';
import { readBody } from './body.js';
import { badRequest, check, unstorable, type Checked } from './check.js';
import { readForm } from './form-body.js';
import { MAX_ON_LOOP_BYTES, readJson, whole, type JsonBodyLimits } from './read-json.js';

/**
 * The path parameters by name, percent-decoded; undefined when one of them is not an id. A path that cannot name
 * anything gets the constant 404, so the caller of this function returns it.
 */
export function readPathParameters(
  operation: Operation,
  rawParameters: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, name] of operation.parameterNames.entries()) {
    const decoded = decode(rawParameters[index] ?? '');
    const checked = operation.request.params[name]?.safeParse(decoded);
    if (!checked?.success) return undefined;
    parameters[name] = checked.data;
  }
  return parameters;
}

/** Reads the query string against the schema. Refuses unknown and repeated parameters by name. */
export function readQuery(schema: z.ZodObject | undefined, search: string): Checked<unknown> {
  const given = new Map<string, string>();
  for (const part of search.split('&').filter((text) => text !== '')) {
    const separator = part.indexOf('=');
    const name = decodeQueryText(separator < 0 ? part : part.slice(0, separator));
    const value = decodeQueryText(separator < 0 ? '' : part.slice(separator + 1));
    if (name === undefined || value === undefined)
      return badRequest('The query string is not valid percent-encoded text');
    if (given.has(name)) return badRequest(`The query parameter ${quote(name)} is repeated`);
    given.set(name, value);
  }
  const known = schema?.shape ?? {};
  const unknown = [...given.keys()].filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) return badRequest(`Unknown query parameter: ${unknown.map(quote).join(', ')}`);
  if (schema === undefined) return { kind: 'valid', value: {} };
  return check(schema, Object.fromEntries(given), 'query');
}

/** Reads the body as storable JSON against the schema. An operation without a body accepts none, or an empty object. */
export async function readJsonBody(
  operation: Operation,
  request: Request,
  limits: JsonBodyLimits,
): Promise<Checked<unknown>> {
  if (operation.method === 'GET') return { kind: 'valid', value: undefined };
  const reading = await readBody(request, limits);
  if (reading.kind === 'problem') return reading;
  const size = reading.bytes?.byteLength ?? 0;
  const { maxBodyValues: maxValues } = operation;
  const json = reading.bytes === undefined ? undefined : await readJson(reading.bytes, maxValues, limits);
  if (json?.ok) limits.spendValues(json.values);
  // Building the values and checking them are separate rounds of the event loop.
  if (size > MAX_ON_LOOP_BYTES) await nextRound();
  if (json?.ok === false) return unstorable(json);
  const schema = operation.request.body;
  if (schema !== undefined) return check(schema, json?.value, 'body');
  return isEmpty(json?.value) ? { kind: 'valid', value: undefined } : badRequest('This operation takes no body');
}

/** Has a thread of the operation read the body, whose values never reach the event loop. */
export async function readBodyInThread(
  { readBody: readInThread }: Operation,
  request: Request,
  limits: JsonBodyLimits,
): Promise<Checked<unknown>> {
  const reading = await readBody(request, limits);
  if (reading.kind === 'problem') return reading;
  const { bytes } = reading;
  if (bytes === undefined) return badRequest('The body is missing');
  const size = bytes.byteLength;
  const { read, values, bytesOnLoop } = await readInThread!(whole(bytes), limits.turns);
  limits.count('thread', { bytes: size, values });
  limits.count('loop', { bytes: bytesOnLoop, values: 0 });
  limits.spendValues(values);
  return read;
}

/** Reads the body as the files and texts of a form against the schema. */
export async function readFormBody(
  { request: { body: schema } }: Operation,
  request: Request,
  limits: Pick<JsonBodyLimits, 'maximumBytes' | 'spend'>,
): Promise<Checked<unknown>> {
  const reading = await readForm(request, limits);
  return reading.kind === 'problem' ? reading : check(schema!, reading.value, 'body');
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0)
  );
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function decode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

function decodeQueryText(raw: string): string | undefined {
  const text = decode(raw.replaceAll('+', ' '));
  return text?.includes('\u0000') ? undefined : text;
}
