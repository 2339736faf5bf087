/**
 * Text from users on its way into text columns. What the engine computes may hold characters that Postgres cannot
 * store, and be longer than an index takes; a park has to be written all the same.
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
