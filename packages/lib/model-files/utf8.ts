/** UTF-8 without `Buffer`, which browsers lack. */
const encoder = new TextEncoder();

/** Length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
