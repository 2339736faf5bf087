/** The encoding that an XML declaration names. */

/** Declarations are short; a longer prefix is not searched. */
const MAX_DECLARATION_LENGTH = 1024;

const DECLARATION = /^(\uFEFF?\s*<\?xml\s[^>]*?\bencoding\s*=\s*)(["'])([^"'<>]*)\2/;

/** As written; undefined without a declaration, or without an encoding in it. */
export function declaredEncoding(text: string): string | undefined {
  return DECLARATION.exec(text.slice(0, MAX_DECLARATION_LENGTH))?.[3];
}

/** The text with a declaration that names UTF-8, the encoding in which texts are stored, sent, and written. */
export function declaredAsUtf8(text: string): string {
  const declared = declaredEncoding(text);
  if (declared === undefined || isUtf8(declared)) return text;
  return text.replace(DECLARATION, (_, before: string, quote: string) => `${before}${quote}UTF-8${quote}`);
}

function isUtf8(encoding: string): boolean {
  return /^utf-?8$/i.test(encoding.trim());
}

/**
 * Characters that were lost when a text was decoded before it came here; undefined without any.
 * `certain` if the text declares another encoding than UTF-8, so that it was decoded as something else.
 */
export function lostCharacters(text: string): { certain: boolean; message: string } | undefined {
  const offset = text.indexOf('\uFFFD');
  if (offset === -1) return undefined;
  const line = text.slice(0, offset).split('\n').length;
  const declared = declaredEncoding(text);
  const place = `The text has the replacement character U+FFFD at offset ${offset} (line ${line})`;
  if (declared === undefined || isUtf8(declared))
    return {
      certain: false,
      message: `${place}. A character may have been lost when the file was decoded. If so, decode the file by its encoding.`,
    };
  return {
    certain: true,
    message: `${place} and declares the encoding ${JSON.stringify(declared)}: characters were lost because the file was decoded as something else. Decode it as ${declared}, or save it as UTF-8.`,
  };
}
