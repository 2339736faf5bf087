import { expect, it } from 'vitest';
import { checkPredicate } from '../../../api/search/predicate.js';

it('a predicate with a literal that can never be read is refused with its place', () => {
  expect(checkPredicate('amount > 1 and\n due < @"2026-02-30"')).toEqual({
    ok: false,
    problems: [{ line: 2, column: 8, message: 'The text after @ is not a date, time, date and time, or duration' }],
  });
  expect(checkPredicate('@"x"')).toMatchObject({ ok: false, problems: [{ line: 1, column: 1 }] });
  expect(checkPredicate('due < @"2026-02-28"')).toMatchObject({ ok: true, required: ['due'] });
});

it.each([
  [
    'hundreds of tests of one long path',
    `a${'.a'.repeat(500)} in (${Array.from({ length: 480 }, (_, at) => at).join(',')})`,
  ],
  ['hundreds of tests of a long path in a short text', `a${'.a'.repeat(300)} in (${'1,'.repeat(690)}1)`],
  ['hundreds of tests of a long name', `${'a'.repeat(8_000)} in (${'1,'.repeat(900)}1)`],
  ['a path of a thousand members', `a${'.abcdefghijklmn'.repeat(985)} = 1`],
  [
    'deep alternations around hundreds of comparisons',
    `${'a = 1 and (a = 1 or ('.repeat(14)}${'a = 1 or '.repeat(430)}a = 1${')'.repeat(28)}`,
  ],
])('a predicate with %s is read at once, and evaluated without a prefilter', (_, text) => {
  expect(text.length).toBeLessThan(16_384);
  expect(checkPredicate(text)).toMatchObject({ ok: true, prefilter: undefined });
});

it('a predicate with a path of some members has a prefilter', () => {
  expect(checkPredicate('order.customer.address.country = "DE"')).toMatchObject({ prefilter: expect.anything() });
});
