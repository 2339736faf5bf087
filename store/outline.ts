/**
 * The outline of captured variables: what Postgres can tell of them without reading all of them. A search leaves most
 * instances to it (`search-screening.ts`). The same names and types as in the variables, but
 *
 * - a string is cut behind its beginning, which still tells it apart from every short one;
 * - `[]` stands for whatever cannot be told: lists, very long strings, text that `jsonb` refuses, what lies deep or finds no room.
 *
 * So whoever reads it learns something true or nothing.
 */
import type { Json, Variables } from '../engine/json.js';
import { storableText } from './text.js';

/** A string of at most so many UTF-16 units equals, precedes or follows the beginning exactly as it does the whole string. */
export const LONGEST_TOLD = 48;
/** One more than needed, because a beginning does not end inside a surrogate pair. */
const BEGINNING = LONGEST_TOLD + 2;
/** FEEL counts the work of comparing strings from here on, and what is counted can run out. */
const LONGEST_STRING = 1000;
const DEEPEST = 5;
/** An outline stands in the row of its instance, which has about two thousand bytes before anything is moved out of it. */
const MOST_CHARACTERS = 1000;

const UNTOLD = '[]';

/** The outline as JSON text; null when there is no room for all names. It takes a bounded time, however large the variables are. */
export function outlineOf(variables: Variables): string | null {
  const outline = outlineOfContext(variables, 1, MOST_CHARACTERS);
  return outline === UNTOLD ? null : outline;
}

/** @param room characters at most */
function outlineOfContext(context: { readonly [name: string]: Json | undefined }, depth: number, room: number): string {
  if (depth > DEEPEST) return UNTOLD;
  const names: string[] = [];
  // Braces; each name has a colon, a comma and at least `[]`.
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
