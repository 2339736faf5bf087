import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { findMatch, machineOf, PatternError, type Machine } from '@perdure/feel/regex/index.js';
import { scaled } from '../engine/random/seeds.js';
import { failure, strict } from './support.js';

/** Hundreds of cases, or costly ones, on a busy machine too. */
vi.setConfig({ testTimeout: 60_000 });

function match(pattern: string, text: string, flags = ''): (number | undefined)[] | undefined {
  const machine = machineOf(pattern, flags);
  if (machine instanceof PatternError) throw new Error(machine.message);
  return findMatch(
    machine,
    Int32Array.from(Array.from(text, (character) => character.codePointAt(0) as number)),
    0,
    () => {},
  );
}

describe('patterns', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    'c',
    '.',
    '[ab]',
    '[^a]',
    '\\d',
    '\\w',
    '(a)',
    '(ab|c)',
    '(?:b|bc)',
    '^',
    '$',
    '[a-c]',
    '(a|b)',
  );
  const piece = fc
    .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '*?', '+?', '??'))
    .map(([part, count]) => (part === '^' || part === '$' ? part : part + count));
  const pattern = fc
    .array(fc.oneof(piece, piece, fc.constant('|')), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join(''));
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '1', ' '), { maxLength: 12 }).map((parts) => parts.join(''));

  test('match where those of JavaScript do, and with the same groups', () => {
    fc.assert(
      fc.property(pattern, text, (source, input) => {
        const expected = new RegExp(source, 'd').exec(input) as
          (RegExpExecArray & { indices: ([number, number] | undefined)[] }) | null;
        const actual = match(source, input);
        expect(actual?.slice(0, 2)).toEqual(expected === null ? undefined : expected.indices[0]);
      }),
      { numRuns: scaled(400) },
    );
  });

  test.each<[string, string, string, boolean]>([
    ['aA', '(a)\\1', 'i', true],
    ['abab', '(ab)\\1', '', true],
    ['aba', '(ab)\\1', '', false],
    ['x', '[a-z-[aeiou]]', '', true],
    ['e', '[a-z-[aeiou]]', '', false],
    ['É', '\\p{Lu}', '', true],
    ['5', '\\p{L}', '', false],
    ['я', '\\p{IsCyrillic}', '', true],
    ['a\nb', 'a.b', '', false],
    ['a\nb', 'a.b', 's', true],
    ['a\nb', '^b', '', false],
    ['a\nb', '^b', 'm', true],
    ['ab', 'a b', 'x', true],
    ['𝒳y', '^.y$', '', true],
    ['K', 'k', 'i', true],
    ['a.b', 'a\\.b', '', true],
    ['', '', '', true],
  ])('%j matches %s with flags %j: %s', (input, source, flags, expected) => {
    expect(strict('matches(input, pattern, flags)', { input, pattern: source, flags })).toBe(expected);
  });

  test.each([
    '(',
    ')',
    '[',
    '[]',
    '[z-a]',
    'a**',
    '*a',
    'a{2,1}',
    'a{',
    '\\',
    '\\q',
    '\\p{Foo}',
    '\\p',
    '(?=a)',
    '\\1',
    '(a)\\2',
    '[\\1]',
    'a{5000}',
    `${'('.repeat(500)}${')'.repeat(500)}`,
    '(((a{100}){100}){100})',
    'a'.repeat(2000),
  ])('%s is none', (source) => {
    expect(machineOf(source, '')).toBeInstanceOf(PatternError);
    expect(failure('matches("a", pattern)', { pattern: source }).code).toBe('INVALID_ARGUMENT');
  });

  test('take time in proportion to text and pattern', () => {
    for (const source of ['^(a+)+$', '(a|aa)+$', '(a*)*b', '(.*)(.*)(.*)(.*)b', '(a|a)*$']) {
      const stepsFor = (length: number): number => {
        let steps = 0;
        findMatch(machineOf(source, '') as Machine, new Int32Array(length).fill(97), 0, (count) => {
          steps += count;
        });
        return steps;
      };
      expect(stepsFor(4000) / stepsFor(1000)).toBeLessThan(4.5);
    }
  });
});

describe('functions of patterns', () => {
  test.each<[string, unknown]>([
    ['replace("abracadabra", "a(.)", "<$1>")', '<b>r<c><d><b>ra'],
    ['replace("abc", "(x)?b", "[$1]")', 'a[]c'],
    ['replace("abc", "b", "\\\\$")', 'a$c'],
    ['replace("2026-11-21", "(\\d+)-(\\d+)-(\\d+)", "$3.$2.$1")', '21.11.2026'],
    ['replace("aaa", "x*", "-")', '-a-a-a-'],
    ['split("a, b,c", ",\\s*")', ['a', 'b', 'c']],
    ['split("abc", "")', ['a', 'b', 'c']],
    ['split("", ",")', ['']],
    ['split(",a,", ",")', ['', 'a', '']],
    ['extract("id: 12, id: 345", "\\d+")', ['12', '345']],
  ])('%s', (expression, expected) => {
    expect(strict(expression)).toEqual(expected);
  });

  test('a replacement with a lone "$" is refused', () => {
    expect(failure('replace("a", "a", "$")').code).toBe('INVALID_ARGUMENT');
  });
});
