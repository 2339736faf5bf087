/** Characters that no XML document can contain. */

/** XML 1.0 section 2.2. Surrogates count only if they are alone. */
export const ILLEGAL_CHARACTER =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const EACH = new RegExp(ILLEGAL_CHARACTER, 'g');

/** The text with U+FFFD for each of them. */
export function replaceIllegal(text: string): string {
  return text.replace(EACH, '\uFFFD');
}
