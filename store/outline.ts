/**
 * The search summary of captured variables, which Postgres can evaluate without reading the variables. A search decides
 * most instances by it (`search-screening.ts`). It has the same names and types as the variables, but
 *
 * - a string is cut to a prefix, which still distinguishes it from every short string;
 * - `[]` marks unknown values: lists, very long strings, text that `jsonb` rejects, deeply nested values, or values
 *   without room.
 *
 * Every statement derived from a summary is therefore true or undecided.
 */
import type { Json, Variables } from '../engine/json.js';
import { storableText } from './text.js';

/**
 * A string with at most this many UTF-16 units equals, precedes or follows the prefix exactly as it does the whole
 * string.
 */
export const LONGEST_TOLD = 48;
/** One more than needed, because a prefix does not end inside a surrogate pair. */
const BEGINNING = LONGEST_TOLD + 2;
/** From this length on FEEL charges for comparing strings, and charged work can exceed the budget. */
const LONGEST_STRING = 1000;
const DEEPEST = 5;
/**
 * A summary is stored in the row of its instance, which has about two thousand bytes before Postgres moves values out
 * of it.
 */
const MOST_CHARACTERS = 1000;

const UNTOLD = '[]';

/**
 * The summary as JSON text; null if there is no room for all names. Takes a bounded time, however large the variables
 * are.
 */
export function outlineOf(variables: Variables): string | null {
  const outline = outlineOfContext(variables, 1, MOST_CHARACTERS);
  return outline === UNTOLD ? null : outline;
}

/** @param room maximum characters */
function outlineOfContext(context: { readonly [name: string]: Json | undefined }, depth: number, room: number): string {
  if (depth > DEEPEST) return UNTOLD;
  const names: string[] = [];
  // Braces; each name needs a colon, a comma and at least `[]`.
  let left = room - 2;
  for (const name in context) {
    if (context[name] === undefined) continue;
    if (!isStorable(name)) return UNTOLD;
    left -= JSON.stringify(name).length + UNTOLD.length + 2;
    if (left < 0) return UNTOLD;
    names.push(name);
  }
  const members = names.map((name) => {
    const outline = outlineOfValue(context[name]!, depth, left + UNTOLD.length);
    left -= Math.max(0, outline.length - UNTOLD.length);
    return `${JSON.stringify(name)}:${outline}`;
  });
  return `{${members.join(',')}}`;
}

function outlineOfValue(value: Json, depth: number, room: number): string {
  if (Array.isArray(value)) return UNTOLD;
  if (typeof value === 'object' && value !== null) return outlineOfContext(value, depth + 1, room);
  const outline = typeof value === 'string' ? outlineOfString(value) : JSON.stringify(value);
  return outline.length > room ? UNTOLD : outline;
}

function outlineOfString(text: string): string {
  if (text.length > LONGEST_STRING) return UNTOLD;
  const beginning = beginningOf(text);
  return isStorable(beginning) ? JSON.stringify(beginning) : UNTOLD;
}

function beginningOf(text: string): string {
  if (text.length <= BEGINNING) return text;
  const isInsidePair = text.codePointAt(BEGINNING - 1)! > 0xffff;
  return text.slice(0, isInsidePair ? BEGINNING - 1 : BEGINNING);
}

function isStorable(text: string): boolean {
  return storableText(text) === text;
}
