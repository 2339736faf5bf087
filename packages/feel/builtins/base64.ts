/**
 * Base64 of the UTF-8 form of a text, implemented here because not every place where FEEL runs has `Buffer` or `btoa`.
 */
import type { Call } from './define.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function encodeBase64(call: Call, text: string): string {
  call.run.chargeString(text.length * 4, call.at);
  call.run.charge(text.length, call.at);
  const bytes = utf8(text);
  let encoded = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second = 0, third = 0] = bytes.slice(index, index + 3);
    const group = (first << 16) | (second << 8) | third;
    const signs = [18, 12, 6, 0].map((shift) => ALPHABET[(group >> shift) & 63]);
    const padding = Math.max(0, index + 3 - bytes.length);
    encoded += signs.slice(0, 4 - padding).join('') + '='.repeat(padding);
  }
  return encoded;
}

function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}
