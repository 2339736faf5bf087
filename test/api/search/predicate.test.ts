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
