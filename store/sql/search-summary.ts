/**
 * The search summary of captured variables, which Postgres can evaluate without reading the variables. A search decides
 * most instances by it (`store/search/prefilter.ts`). It has the same names and types as the variables, but
 *
 * - a string is cut to a prefix, which still distinguishes it from every short string;
 * - `[]` marks unknown values: lists, very long strings, text that `jsonb` rejects, deeply nested values, or values
 *   without room.
 *
 * Every statement derived from a summary is therefore true or undecided.
 */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { storableText } from './text.js';

/**
 * A string with at most this many UTF-16 units equals, precedes or follows the prefix exactly as it does the whole
 * string.
 */
export const MAX_PREFIX = 48;
/** One more than needed, because a prefix does not end inside a surrogate pair. */
const BEGINNING = MAX_PREFIX + 2;
/** From this length on FEEL charges for comparing strings, and charged work can exceed the budget. */
const MAX_STRING_LENGTH = 1000;
const DEEPEST = 5;
/**
 * A summary is stored in the row of its instance, which has about two thousand bytes before Postgres moves values out
 * of it.
 */
const MAX_SUMMARY_LENGTH = 1000;

const UNKNOWN = '[]';

/**
 * The summary as JSON text; null if there is no room for all names. Takes a bounded time, however large the variables
 * are.
 */
export function searchSummaryOf(variables: Variables): string | null {
  const summary = summaryOfContext(variables, 1, MAX_SUMMARY_LENGTH);
  return summary === UNKNOWN ? null : summary;
}

/** @param room maximum characters */
function summaryOfContext(context: { readonly [name: string]: Json | undefined }, depth: number, room: number): string {
  if (depth > DEEPEST) return UNKNOWN;
  const names: string[] = [];
  // Braces; each name needs a colon, a comma and at least `[]`.
  let left = room - 2;
  for (const name in context) {
    if (context[name] === undefined) continue;
    if (!isStorable(name)) return UNKNOWN;
    left -= JSON.stringify(name).length + UNKNOWN.length + 2;
    if (left < 0) return UNKNOWN;
    names.push(name);
  }
  const members = names.map((name) => {
    const summary = summaryOfValue(context[name]!, depth, left + UNKNOWN.length);
    left -= Math.max(0, summary.length - UNKNOWN.length);
    return `${JSON.stringify(name)}:${summary}`;
  });
  return `{${members.join(',')}}`;
}

function summaryOfValue(value: Json, depth: number, room: number): string {
  if (Array.isArray(value)) return UNKNOWN;
  if (typeof value === 'object' && value !== null) return summaryOfContext(value, depth + 1, room);
  const summary = typeof value === 'string' ? summaryOfString(value) : JSON.stringify(value);
  return summary.length > room ? UNKNOWN : summary;
}

function summaryOfString(text: string): string {
  if (text.length > MAX_STRING_LENGTH) return UNKNOWN;
  const beginning = beginningOf(text);
  return isStorable(beginning) ? JSON.stringify(beginning) : UNKNOWN;
}

function beginningOf(text: string): string {
  if (text.length <= BEGINNING) return text;
  const isInsidePair = text.codePointAt(BEGINNING - 1)! > 0xffff;
  return text.slice(0, isInsidePair ? BEGINNING - 1 : BEGINNING);
}

function isStorable(text: string): boolean {
  return storableText(text) === text;
}
