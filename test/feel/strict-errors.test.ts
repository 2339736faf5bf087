/** Wrong expressions in strict mode: each with the code and the part of the text that the error points at. */
import { describe, expect, test } from 'vitest';
import type { FeelErrorCode } from '@perdure/feel/evaluate.js';
import { failure, lenient } from './support.js';

const VARIABLES = {
  amount: 100,
  status: 'open',
  zero: 0,
  nothing: null,
  flag: true,
  customer: { name: 'Ada', address: null },
  items: [{ price: 1 }, { price: 2 }],
  list: [1, 2, 3],
};

const WRONG: [expression: string, code: FeelErrorCode, part: string][] = [
  // Names
  ['missing', 'UNRESOLVED_VARIABLE', 'missing'],
  ['amount + missing', 'UNRESOLVED_VARIABLE', 'missing'],
  ['missing = null', 'UNRESOLVED_VARIABLE', 'missing'],
  ['true or missing', 'UNRESOLVED_VARIABLE', 'missing'],
  ['false and missing > 1', 'UNRESOLVED_VARIABLE', 'missing'],
  ['list[item > missing]', 'UNRESOLVED_VARIABLE', 'missing'],
  ['customer.missing', 'UNRESOLVED_ENTRY', 'customer.missing'],
  ['customer.address.street', 'UNRESOLVED_ENTRY', 'customer.address.street'],
  ['items.missing', 'UNRESOLVED_ENTRY', 'items.missing'],
  ['{a: 1}.b', 'UNRESOLVED_ENTRY', '{a: 1}.b'],
  ['date("2026-01-01").hour', 'UNRESOLVED_ENTRY', 'date("2026-01-01").hour'],
  ['amount.cents', 'TYPE_MISMATCH', 'amount.cents'],
  // Arithmetic
  ['1 / 0', 'DIVISION_BY_ZERO', '1 / 0'],
  ['amount / zero', 'DIVISION_BY_ZERO', 'amount / zero'],
  ['2 * (amount / (1 - 1))', 'DIVISION_BY_ZERO', 'amount / (1 - 1)'],
  ['modulo(5, 0)', 'DIVISION_BY_ZERO', 'modulo(5, 0)'],
  ['0 ** -1', 'DIVISION_BY_ZERO', '0 ** -1'],
  ['duration("P1D") / 0', 'DIVISION_BY_ZERO', 'duration("P1D") / 0'],
  ['duration("P1D") / duration("PT0S")', 'DIVISION_BY_ZERO', 'duration("P1D") / duration("PT0S")'],
  ['amount + "1"', 'TYPE_MISMATCH', 'amount + "1"'],
  ['"total: " + amount', 'TYPE_MISMATCH', '"total: " + amount'],
  ['amount + nothing', 'TYPE_MISMATCH', 'amount + nothing'],
  ['nothing * 2', 'TYPE_MISMATCH', 'nothing * 2'],
  ['status - 1', 'TYPE_MISMATCH', 'status - 1'],
  ['-status', 'TYPE_MISMATCH', '-status'],
  ['list + 1', 'TYPE_MISMATCH', 'list + 1'],
  ['duration("P1D") * duration("P1D")', 'TYPE_MISMATCH', 'duration("P1D") * duration("P1D")'],
  ['date("2026-01-01") + 1', 'TYPE_MISMATCH', 'date("2026-01-01") + 1'],
  ['time("10:00:00") + duration("P1M")', 'TYPE_MISMATCH', 'time("10:00:00") + duration("P1M")'],
  [
    'date and time("2026-01-01T00:00:00") - date and time("2026-01-01T00:00:00Z")',
    'TYPE_MISMATCH',
    'date and time("2026-01-01T00:00:00") - date and time("2026-01-01T00:00:00Z")',
  ],
  ['10 ** 400', 'NUMBER_OVERFLOW', '10 ** 400'],
  ['1e300 * 1e300', 'NUMBER_OVERFLOW', '1e300 * 1e300'],
  ['(-8) ** 0.5', 'INVALID_ARGUMENT', '(-8) ** 0.5'],
  // Comparison
  ['"5" > 1', 'TYPE_MISMATCH', '"5" > 1'],
  ['status > 1', 'TYPE_MISMATCH', 'status > 1'],
  ['nothing < 1', 'TYPE_MISMATCH', 'nothing < 1'],
  ['[1] > 0', 'TYPE_MISMATCH', '[1] > 0'],
  ['date("2026-01-01") > 1', 'TYPE_MISMATCH', 'date("2026-01-01") > 1'],
  ['duration("P1D") < duration("P1M")', 'TYPE_MISMATCH', 'duration("P1D") < duration("P1M")'],
  ['amount = "100"', 'TYPE_MISMATCH', 'amount = "100"'],
  ['status != 1', 'TYPE_MISMATCH', 'status != 1'],
  ['{} = []', 'TYPE_MISMATCH', '{} = []'],
  ['"b" between 1 and 3', 'TYPE_MISMATCH', '"b" between 1 and 3'],
  ['nothing between 1 and 3', 'TYPE_MISMATCH', 'nothing between 1 and 3'],
  ['status in [1..3]', 'TYPE_MISMATCH', '[1..3]'],
  ['amount in (> "a")', 'TYPE_MISMATCH', '> "a"'],
  ['true < false', 'TYPE_MISMATCH', 'true < false'],
  // Truth
  ['amount and true', 'TYPE_MISMATCH', 'amount'],
  ['true and "yes"', 'TYPE_MISMATCH', '"yes"'],
  ['flag or nothing', 'TYPE_MISMATCH', 'nothing'],
  ['if amount then 1 else 2', 'TYPE_MISMATCH', 'amount'],
  ['if nothing then 1 else 2', 'TYPE_MISMATCH', 'nothing'],
  ['not(amount)', 'TYPE_MISMATCH', 'amount'],
  ['some x in list satisfies x', 'TYPE_MISMATCH', 'x'],
  ['every x in list satisfies null', 'TYPE_MISMATCH', 'null'],
  // Lists
  ['list[4]', 'INDEX_OUT_OF_RANGE', 'list[4]'],
  ['list[0]', 'INDEX_OUT_OF_RANGE', 'list[0]'],
  ['list[-4]', 'INDEX_OUT_OF_RANGE', 'list[-4]'],
  ['[][1]', 'INDEX_OUT_OF_RANGE', '[][1]'],
  ['list[1.5]', 'INVALID_ARGUMENT', '1.5'],
  ['list["a"]', 'TYPE_MISMATCH', '"a"'],
  ['nothing[1]', 'TYPE_MISMATCH', 'nothing[1]'],
  ['for i in amount return i', 'TYPE_MISMATCH', 'i in amount'],
  ['for i in 1..1.5 return i', 'INVALID_ARGUMENT', 'i in 1..1.5'],
  ['for i in "a".."b" return i', 'TYPE_MISMATCH', 'i in "a".."b"'],
  ['remove(list, 9)', 'INDEX_OUT_OF_RANGE', 'remove(list, 9)'],
  ['{a: 1, a: 2}', 'INVALID_ARGUMENT', '{a: 1, a: 2}'],
  // Functions
  ['unknown(1)', 'UNRESOLVED_VARIABLE', 'unknown'],
  ['amount(1)', 'NOT_A_FUNCTION', 'amount'],
  ['"abs"(1)', 'NOT_A_FUNCTION', '"abs"'],
  ['upper case(1)', 'TYPE_MISMATCH', '1'],
  ['substring("abc", "1")', 'TYPE_MISMATCH', '"1"'],
  ['substring(string: "abc", start position: null)', 'TYPE_MISMATCH', 'null'],
  ['substring("abc")', 'INVALID_ARGUMENT', 'substring("abc")'],
  ['substring("abc", 1, 1, 1)', 'INVALID_ARGUMENT', 'substring("abc", 1, 1, 1)'],
  ['substring(text: "abc", start position: 1)', 'INVALID_ARGUMENT', 'substring(text: "abc", start position: 1)'],
  ['substring("abc", 0)', 'INVALID_ARGUMENT', 'substring("abc", 0)'],
  ['sum([1, "a"])', 'TYPE_MISMATCH', 'sum([1, "a"])'],
  ['max([1, null])', 'TYPE_MISMATCH', 'max([1, null])'],
  ['number("12a")', 'INVALID_ARGUMENT', 'number("12a")'],
  ['date("2026-02-30")', 'INVALID_ARGUMENT', 'date("2026-02-30")'],
  ['@"2026-13-01"', 'INVALID_ARGUMENT', '@"2026-13-01"'],
  ['duration("1 day")', 'INVALID_ARGUMENT', 'duration("1 day")'],
  [
    'date and time("2026-01-01T00:00:00@Nowhere/City")',
    'INVALID_ARGUMENT',
    'date and time("2026-01-01T00:00:00@Nowhere/City")',
  ],
  ['sqrt(-1)', 'INVALID_ARGUMENT', 'sqrt(-1)'],
  ['log(0)', 'INVALID_ARGUMENT', 'log(0)'],
  ['matches("a", "(")', 'INVALID_ARGUMENT', 'matches("a", "(")'],
  ['matches("a", "a", "g")', 'INVALID_ARGUMENT', 'matches("a", "a", "g")'],
  ['range("[3..1]")', 'INVALID_ARGUMENT', 'range("[3..1]")'],
  ['list replace([1, 2, 3], 0.9, 4)', 'INDEX_OUT_OF_RANGE', 'list replace([1, 2, 3], 0.9, 4)'],
  ['list replace([1, 2, 3], 4.1, 4)', 'INDEX_OUT_OF_RANGE', 'list replace([1, 2, 3], 4.1, 4)'],
  ['[3..1]', 'INVALID_ARGUMENT', '[3..1]'],
  ['(2..1)', 'INVALID_ARGUMENT', '(2..1)'],
  ['2 in [3..1]', 'INVALID_ARGUMENT', '[3..1]'],
  ['for i in [2..1] return i', 'INVALID_ARGUMENT', '[2..1]'],
  ['["b".."a"]', 'INVALID_ARGUMENT', '["b".."a"]'],
  ['[@"2026-02-02"..@"2026-02-01"]', 'INVALID_ARGUMENT', '[@"2026-02-02"..@"2026-02-01"]'],
  ['(function(a, b) a + b)(1)', 'INVALID_ARGUMENT', '(function(a, b) a + b)(1)'],
  ['(function(a: number) a)("x")', 'TYPE_MISMATCH', '(function(a: number) a)("x")'],
  ['assert(amount, amount > 1000)', 'ASSERTION_FAILED', 'assert(amount, amount > 1000)'],
  ['uuid()', 'UNSUPPORTED', 'uuid()'],
  ['random number()', 'UNSUPPORTED', 'random number()'],
  [
    'function(a) external {java: {class: "java.lang.Math"}}',
    'UNSUPPORTED',
    'function(a) external {java: {class: "java.lang.Math"}}',
  ],
  ['amount instance of Unknown', 'INVALID_ARGUMENT', 'amount instance of Unknown'],
  ['before(null, 1)', 'TYPE_MISMATCH', 'null'],
  ['after(1, null)', 'TYPE_MISMATCH', 'null'],
  ['before([1..3], null)', 'TYPE_MISMATCH', 'null'],
  ['coincides(null, 1)', 'TYPE_MISMATCH', 'null'],
  ['coincides([1..3], true)', 'TYPE_MISMATCH', 'true'],
  ['finishes(null, [1..3])', 'TYPE_MISMATCH', 'null'],
  ['finished by([1..3], null)', 'TYPE_MISMATCH', 'null'],
  ['starts(null, [1..3])', 'TYPE_MISMATCH', 'null'],
  ['started by([1..3], null)', 'TYPE_MISMATCH', 'null'],
  ['includes([1..3], {})', 'TYPE_MISMATCH', '{}'],
  ['during(null, [1..3])', 'TYPE_MISMATCH', 'null'],
  ['{f: function(n) f(n)}.f(1)', 'UNRESOLVED_VARIABLE', 'f'],
];

describe('a wrong expression in strict mode', () => {
  test.each(WRONG)('%s fails with %s at %s', (expression, code, part) => {
    const error = failure(expression, VARIABLES);
    expect({ code: error.code, part: expression.slice(error.from, error.to) }).toEqual({ code, part });
    expect(error.message).toMatch(/^["A-Z].*[.]$/);
  });

  test.each(WRONG)('%s gives a value and a diagnostic in lenient mode', (expression) => {
    expect(() => lenient(expression, VARIABLES)).not.toThrow();
  });
});

test('a relation between a range and a missing value is null in lenient mode, and so is its negation', () => {
  expect(lenient('[before(missing, 1), not(before(missing, 1)), coincides(null, null), starts(null, [1..3])]')).toEqual(
    [null, null, null, null],
  );
});

describe('the message of an error', () => {
  const SECRET = 'hunter2-7f3a';
  test.each([
    'secret + 1',
    'secret.entry',
    'upper case(secrets)',
    'number(secret)',
    'date(secret)',
    'secret[2]',
    'secret()',
    'if secret then 1 else 2',
    'matches("a", pattern)',
    'matches("a", category)',
    'assert(1, false, secret)',
    'duration(secret)',
    'secrets.x',
    'context([{key: secret, value: 1}, {key: secret, value: 2}])',
  ])('of %s does not show the value of a variable', (expression) => {
    const { message } = failure(expression, {
      secret: SECRET,
      secrets: { [SECRET]: SECRET },
      pattern: `(${SECRET}`,
      category: `\\p{${SECRET}}`,
    });
    expect(message).not.toContain(SECRET);
  });
});
