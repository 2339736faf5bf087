/**
 * Text from users on its way into text columns. What the engine computes may hold characters that Postgres cannot
 * store, and be longer than an index takes; a park has to be written all the same. Values of statements pass
 * `storableText` in `store-client.ts`; elsewhere it is for text inside JSON that a statement decodes.
 */
const LONGEST_INDEXED = 255;

/** The text with U+FFFD in place of NUL and of lone surrogates. */
export function storableText(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}

/** Storable text for an indexed column; no door accepts more than 255 characters to look it up by. */
export function indexedText(text: string): string {
  return storableText(text.length > LONGEST_INDEXED ? text.slice(0, LONGEST_INDEXED) : text);
}

/** JSON text for a `json` column; undefined is SQL's null. */
export function jsonText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** JSON text that is the same for equal values: members in the order of their names. */
export function sortedJSON(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => (isObject(member) ? inOrder(member) : member));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inOrder(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)));
}
