import { expect, it } from 'vitest';
import { printable, printableJson, printableLines } from '../../packages/lib/trust/printable.js';

/** Escape, carriage return, C1, a line separator, and every character that changes the direction of text. */
const obeyed = [
  0x1b, 0x0d, 0x00, 0x7f, 0x9b, 0x2028, 0x2029, 0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066,
  0x2067, 0x2068, 0x2069,
].map((code) => String.fromCodePoint(code));

it('text on a terminal has no character that the terminal obeys', () => {
  for (const character of obeyed) {
    expect(printable(`a${character}b`)).toBe('a\ufffdb');
    expect(printableLines(`a\n\t${character}b`)).toBe('a\n\t\ufffdb');
  }
  expect(printable('a\nb\tc')).toBe('a\ufffdb\ufffdc');
  expect(printable('zoë 訂單 שלום 👩‍🚀')).toBe('zoë 訂單 שלום 👩‍🚀');
});

it('JSON on a terminal is the same value, without a character that the terminal obeys', () => {
  const value = { [obeyed.join('')]: obeyed };
  const text = printableJson(JSON.stringify(value));
  expect(text).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(text)).toEqual(value);
});
