/** Hostile JSON: the limits of bodies. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStorableJson } from '@perdure/lib/storable-json.js';
import { scaled } from '../engine/random/seeds.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readStorableJson(bytes(text));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('any JSON value that survives is read as JSON.parse reads it', () => {
  const storable = fc.jsonValue({ noUnicodeString: false, maxDepth: 10 }).filter((value) => {
    const text = JSON.stringify(value);
    return !text.includes('\\u0000') && !text.includes('__proto__') && !/\\ud[89a-f]/i.test(text);
  });
  fc.assert(
    fc.property(storable, fc.constantFrom(0, 1, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(readStorableJson(bytes(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test('no text is accepted that JSON.parse refuses', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '"a"',
      '1',
      '-',
      '0',
      '.',
      'e',
      'true',
      'null',
      ' ',
      '\\',
      '\n',
      '\u00a0',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      if (!read(text).ok) return;
      expect(() => JSON.parse(text)).not.toThrow();
    }),
    { numRuns: scaled(1500) },
  );
});

test('every double that JSON.stringify writes is accepted and unchanged', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(read(JSON.stringify(value))).toEqual({ ok: true, value: value === 0 ? 0 : value });
    }),
    { numRuns: scaled(1500) },
  );
});

test.each([
  '9007199254740993',
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '-0.0',
  '0.1000000000000000055511151231257827',
  '0.123456789012345678901234567890',
  '18446744073709551616',
  '1'.repeat(500),
])('the number %s is refused, since it would come back as another one', (token) => {
  expect(read(`{"a": [${token}]}`)).toMatchObject({ ok: false, pointer: '/a/0' });
});

test.each([
  '9007199254740992',
  '1.0',
  '1e5',
  '100e-2',
  '0.10000000000000000000000000',
  '0e9',
  '-1',
  '1E+2',
  '5e-324',
  '1.7976931348623157e308',
  `1${'0'.repeat(308)}`,
])('the number %s is accepted', (token) => {
  expect(read(token)).toEqual({ ok: true, value: Number(token) });
});

test.each([
  '01',
  '+1',
  '.5',
  '1.',
  '1e',
  '0x10',
  'NaN',
  'Infinity',
  '- 1',
  "'a'",
  '{a:1}',
  '[1,]',
  '{"a":1,}',
  '',
  ' ',
  '"\n"',
  '"\\x"',
  '"',
  'nul',
  '[1 2]',
  '{"a" 1}',
  '// x',
  '1 1',
])('the text %j is not JSON', (text) => {
  expect(read(text)).toMatchObject({ ok: false, message: expect.stringContaining('not valid JSON') });
});

test('64 levels are accepted, 65 and five million are refused', () => {
  expect(read(nested(64)).ok).toBe(true);
  for (const levels of [65, 100, 10_000, 5_000_000]) expect(read(nested(levels)).ok).toBe(false);
  expect(read('{"a":'.repeat(65) + '1' + '}'.repeat(65)).ok).toBe(false);
});

test('more than 50,000 members are refused', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
  expect(read(members(10_000)).ok).toBe(true);
  expect(read(members(10_001))).toMatchObject({ ok: false, message: 'more than 10000 members in one object' });
  const five = Array(5).fill(members(10_000)).join(',');
  expect(read(`[${five}]`).ok).toBe(true);
  expect(read(`[${five},{"one":1}]`)).toMatchObject({ ok: false, message: 'more than 50000 members' });
});

test('NUL and half surrogates are refused in values and in keys', () => {
  for (const text of ['"\\u0000"', '{"\\u0000": 1}', '"\\ud800"', '"\\udc00x"', '{"a\\ud83d": 1}', '"\\ude00\\ud83d"'])
    expect(read(text).ok, text).toBe(false);
  expect(read('"\\ud83d\\ude00"')).toEqual({ ok: true, value: '😀' });
});

test('invalid UTF-8 and UTF-16 are refused, a byte order mark is skipped', () => {
  expect(readStorableJson(new Uint8Array([0x22, 0xff, 0x22])).ok).toBe(false);
  expect(readStorableJson(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])).ok).toBe(false);
  expect(readStorableJson(new Uint8Array(Buffer.from('{"a":1}', 'utf16le'))).ok).toBe(false);
  expect(read('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
});

test('a key __proto__ is refused anywhere; names of other builtins are plain keys', () => {
  expect(read('{"a": [{"__proto__": {"polluted": true}}]}')).toMatchObject({ ok: false, pointer: '/a/0' });
  expect(read('{"\\u005f_proto__": 1}').ok).toBe(false);
  const text = '{"constructor":{"prototype":{"a":1}},"toString":1,"hasOwnProperty":2,"":3,"length":4,"then":5}';
  expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
  expect(({} as Record<string, unknown>)['a']).toBeUndefined();
});

test('a key that appears twice is refused, however it is spelled', () => {
  expect(read('{"a": 1, "b": {"c": 1, "\\u0063": 2}}')).toMatchObject({ ok: false, pointer: '/b/c' });
});

test('the reason names the place and never the value', () => {
  const refused = read('{"variables": {"card": "4111 \\u0000"}}');
  expect(refused).toMatchObject({ ok: false, pointer: '/variables/card' });
  expect(JSON.stringify(refused)).not.toContain('4111');
});

test('more than 100,000 values of any kind are refused', () => {
  for (const item of ['1', '1e1', 'null', '""', '[]', '{}']) {
    const list = (count: number) => `[${Array(count).fill(item).join(',')}]`;
    expect(read(list(99_999)).ok, item).toBe(true);
    expect(read(list(100_000)), item).toMatchObject({ ok: false, message: 'more than 100000 values' });
  }
  expect(readStorableJson(bytes('[1,2,3]'), 3)).toMatchObject({ ok: false, message: 'more than 3 values' });
});
