/**
 * Text of other people on a terminal. Control characters would move its cursor, and directional ones (Unicode's
 * `Bidi_Control`) would show a text in another order than it has: `exe.txt` as `txt.exe`.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** One line: every character that the terminal would obey is replaced. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd');
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'));
}

/** The same value as JSON, in characters that can be printed. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}
