/**
 * User text for text columns. Values computed by the engine may contain characters that Postgres cannot store, or be
 * longer than an index allows; a step must be committed anyway. Statement values pass through `storableText` in
 * `store-client.ts`; elsewhere it is for text inside JSON that a statement decodes.
 */
const MAX_INDEXED_LENGTH = 255;

/** The text with U+FFFD instead of NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}

/** Storable text for an indexed column; the API accepts at most 255 characters to look it up by. */
export function indexedText(text: string): string {
  return storableText(text.length > MAX_INDEXED_LENGTH ? text.slice(0, MAX_INDEXED_LENGTH) : text);
}

/** Like `indexedText`; SQL null for undefined. */
export function optionalIndexedText(text: string | undefined): string | null {
  return text === undefined ? null : indexedText(text);
}

/** JSON text for a `json` column; SQL null for undefined. */
export function jsonText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
