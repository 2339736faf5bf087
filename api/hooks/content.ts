/** Reads the body and the query of a delivery into values for FEEL. */
import type { Json } from '@perdure/engine/contract/json.js';
import { readStorableJson, storableLimits } from '@perdure/lib/storable-json.js';

export type Content = 'json' | 'form' | 'text';

export type ReadContent =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string };

const UTF8 = '[ \\t]*(?:;[ \\t]*charset="?utf-8"?[ \\t]*)?$';
const CONTENTS: readonly (readonly [RegExp, Content])[] = [
  [new RegExp(`^application/(?:[a-z0-9.-]+\\+)?json${UTF8}`, 'i'), 'json'],
  [new RegExp(`^application/x-www-form-urlencoded${UTF8}`, 'i'), 'form'],
  [new RegExp(`^text/plain${UTF8}`, 'i'), 'text'],
];

/** Undefined for a media type that hooks do not read. */
export function contentOf(mediaType: string | null): Content | undefined {
  return CONTENTS.find(([pattern]) => pattern.test(mediaType ?? ''))?.[1];
}

/** An empty body is null. */
export function readContent(content: Content | undefined, bytes: Uint8Array | undefined): ReadContent {
  if (content === undefined || bytes === undefined) return { ok: true, value: null };
  if (content === 'json') return readJson(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, problem: 'The body is not valid UTF-8' };
  }
  return content === 'form' ? readPairs(text, 'The form') : { ok: true, value: text };
}

function readJson(bytes: Uint8Array): ReadContent {
  const json = readStorableJson(bytes);
  if (json.ok) return { ok: true, value: json.value as Json };
  return { ok: false, problem: `The body cannot be stored: ${json.message}${json.pointer && ` (at ${json.pointer})`}` };
}

/** Names and values as in a query or a form. A name that is repeated has the list of its values. */
export function readPairs(text: string, what: string): ReadContent {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const present = found.get(name);
    if (present === undefined) found.set(name, value);
    else if (typeof present === 'string') found.set(name, [present, value]);
    else present.push(value);
    if (found.size > storableLimits.membersOfObject)
      return { ok: false, problem: `${what} has more than ${storableLimits.membersOfObject} names` };
  }
  if (found.has('__proto__')) return { ok: false, problem: `${what} has the name __proto__` };
  return { ok: true, value: Object.fromEntries(found) };
}

const MAX_KEPT_BYTES = 64 * 1024;

/** The beginning of a body as text that Postgres can store. */
export function excerpt(bytes: Uint8Array | undefined): string {
  const readable = decoded(bytes?.subarray(0, MAX_KEPT_BYTES)).replaceAll('\0', '\uFFFD');
  // Replacement characters take more bytes than what they replace. The stream mode leaves out a part of a character.
  return decoded(Buffer.from(readable).subarray(0, MAX_KEPT_BYTES), { stream: true });
}

/** Whether the text has every byte of the body. */
export function isWhole(text: string, bytes: Uint8Array | undefined): boolean {
  return Buffer.from(text).equals(bytes ?? new Uint8Array());
}

/** With its byte order mark. */
function decoded(bytes: Uint8Array | undefined, options?: { stream: boolean }): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, options);
}
