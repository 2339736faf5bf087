/** The language by example: paths, filters, loops, functions, ranges, types, unary tests. */
import { describe, expect, test } from 'vitest';
import { compile, evaluate, toJson } from '@perdure/feel/evaluate.js';
import { lenient, NOON, strict, treeOf } from './support.js';

const VARIABLES = {
  a: 1,
  nothing: null,
  list: [1, 2, 3],
  orders: [
    { id: 1, total: 10, tags: ['x'] },
    { id: 2, total: 25, tags: [] },
  ],
  price: 20,
};

describe('expressions', () => {
  test.each<[string, unknown]>([
    ['if a = 1 then "yes" else "no"', 'yes'],
    ['if a = 2 then missing else "lazy"', 'lazy'],
    ['nothing = null', true],
    ['a != null', true],
    ['orders.total', [10, 25]],
    ['orders[total > price]', [VARIABLES.orders[1]]],
    ['orders[item.total < price].id', [1]],
    ['orders[id = 2][1].total', 25],
    ['orders[-1].id', 2],
    ['list[item > 1]', [2, 3]],
    ['list[count(orders)]', 2],
    ['list[true]', [1, 2, 3]],
    ['5[1]', 5],
    ['[{item: 1}, {item: 2}][item > 1]', [{ item: 2 }]],
    ['orders[count(tags) = 0].id', [2]],
    ['for i in list return i * a', [1, 2, 3]],
    ['for i in 3..1 return i', [3, 2, 1]],
    ['for i in [2..2] return i', [2]],
    ['for i in (2..2) return i', []],
    ['for i in [1..4) return i', [1, 2, 3]],
    [
      'for i in 1..2, j in i..2 return [i, j]',
      [
        [1, 1],
        [1, 2],
        [2, 2],
      ],
    ],
    ['for i in 0..4 return if i = 0 then 1 else i * partial[-1]', [1, 1, 2, 6, 24]],
    ['for i in 1..3 return partial', [[], [[]], [[], [[]]]]],
    ['for i in 1..3 return count(partial)', [0, 1, 2]],
    ['for d in @"2026-02-27"..@"2026-03-01" return d', ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['for i in [] return missing', []],
    ['some x in list satisfies x > 2', true],
    ['every x in list satisfies x > 2', false],
    ['every x in [] satisfies missing', true],
    ['some x in list, y in list satisfies x + y = 6', true],
    ['{b: 2, c: b + a}.c', 3],
    ['{f: function(x) x + a}.f(2)', 3],
    ['(function(x: number, y: number) x - y)(y: 1, x: 3)', 2],
    ['for f in [function(x) x + 1, function(x) x * 2] return f(5)', [6, 10]],
    ['for i in 1..2 return (for f in [function() i] return f())[1]', [1, 2]],
    ['{fact: function(self, n) if n = 0 then 1 else n * self(self, n - 1), r: fact(fact, 20)}.r', 2432902008176640000],
    ['1 in [1, 2]', true],
    ['1 in [[0..0], [1..3]]', true],
    ['5 in (1, < 3, > 4)', true],
    ['[1] in [[1], [2]]', true],
    ['3 in (? > 2)', true],
    ['"b" in ["a".."c")', true],
    ['2 between 1 and 2', true],
    ['(1..3] = ]1..3]', true],
    ['[1, [2, {b: @"P1D"}]] = [1, [2, {b: @"PT24H"}]]', true],
    ['{a: 1, b: 2} = {b: 2, a: 1}', true],
    ['-5 ** 2', 25],
    ['2 ** 3 ** 2', 64],
    ['1 + 2 * 3 - 4 / 2', 5],
    ['// a comment\n1 /* and another */ + 1', 2],
    ['list instance of list<number>', true],
    ['orders[1] instance of context<id: number, total: number>', true],
    ['[1..2] instance of range<number>', true],
    ['[1..2] instance of range<string>', false],
    ['@"P1D" instance of days and time duration', true],
    ['null instance of Any', false],
    ['{a: null} instance of context<a: string>', true],
    ['(function() "x") instance of function<>->string', true],
    ['(function(a: list<number>) {b: "b"}) instance of function<list<number>>->context<b: string, c: string>', false],
    ['(function(a: string, b: string) "x") instance of function<string>->string', false],
  ])('%s', (expression, result) => {
    expect(strict(expression, VARIABLES)).toEqual(result);
  });
});

describe('lenient mode', () => {
  test.each<[string, unknown]>([
    ['missing', null],
    ['1 / 0', null],
    ['1 + null', null],
    ['"a" < 1', null],
    ['true or missing', true],
    ['false and missing', false],
    ['true and missing', null],
    ['if missing then 1 else 2', 2],
    ['[1, 2][5]', null],
    ['[{x: 1}, {y: 2}][x = 1]', [{ x: 1 }]],
    ['[{x: 1}, {y: 2}].x', [1, null]],
    ['some x in [1, null] satisfies x > 0', true],
    ['every x in [1, null] satisfies x > 0', null],
    ['null in [1..3]', null],
    ['5 in [null..10]', null],
    ['1 in [{}..1]', null],
    ['"a" in [1.."a"]', null],
    ['1 in ]1.."yy"]', null],
    ['not(1 in [{}..1])', null],
    ['1 in ([{}..1], [0..1])', true],
    ['1 in (2, [{}..1])', null],
    ['1 in (? > "a")', null],
    ['1 in [1 in [1..2]..2]', null],
    ['for i in 1..2 return i / 0', [null, null]],
    ['for i in [2..1] return i', null],
    ['[3..1]', null],
    ['2 in [3..1]', null],
    ['1 in (2, [3..1])', null],
    ['3 in (2..1)', null],
    ['is defined(missing.x)', false],
    ['get or else(1 / 0, 3)', 3],
    ['function(a) external {}', null],
  ])('%s gives %j', (expression, result) => {
    expect(lenient(expression, VARIABLES)).toEqual(result);
  });

  test('says what went wrong, and where', () => {
    const result = evaluate(compile(treeOf('[1 / 0, missing]')), {}, { now: NOON, mode: 'lenient' });
    expect(result).toMatchObject({
      ok: true,
      value: [null, null],
      diagnostics: [
        { code: 'DIVISION_BY_ZERO', message: 'Division by zero.', from: 1, to: 6 },
        { code: 'UNRESOLVED_VARIABLE', message: 'There is no variable named "missing" here.', from: 8, to: 15 },
      ],
    });
  });

  test('says nothing when nothing went wrong', () => {
    expect(evaluate(compile(treeOf('1 + 1')), {}, { now: NOON, mode: 'lenient' })).not.toHaveProperty('diagnostics');
  });
});

describe('unary tests', () => {
  test.each<[string, unknown, unknown]>([
    ['-', null, true],
    ['5', 5, true],
    ['5', 6, false],
    ['"a", "b"', 'b', true],
    ['not("a", "b")', 'c', true],
    ['not("a", "b")', 'a', false],
    ['< 5', 4, true],
    ['< 5, > 10', 11, true],
    ['[1..5]', 5, true],
    ['[1..5)', 5, false],
    ['null', null, true],
    ['null', 1, false],
    ['? > 3 and ? < 6', 5, true],
    ['contains(?, "x")', 'axb', true],
    ['limit', 7, true],
    ['< limit', 6, true],
    ['limits', 8, true],
    ['limits', 9, false],
    ['flag', true, true],
    ['flag', false, false],
    ['true', false, false],
    ['limit > 1', 'anything', true],
    ['limit > 100', 'anything', false],
    ['@"2026-01-01"', '2026-01-01', null],
    ['< 5', 'a', null],
    ['[1, 2]', [1, 2], true],
    ['?', 'a', true],
    ['? in (?)', 'a', true],
    ['? in [?..5]', 3, true],
    ['1 in (>= ?, < 1)', 0.1, true],
    ['[? - 1..? + 1]', 3, true],
    ['(?..? + 1]', 3, false],
    ['> ? - 1', 3, true],
    ['> ? + 1', 3, false],
    ['? + 0', 3, true],
    ['? + 1', 3, false],
    ['[?, 7]', 3, true],
    ['abs(?)', 3, true],
    ['abs(?)', -3, false],
    ['limit - ?, ? * 2', 3.5, true],
    ['? > limit', false, null],
    ['? = flag', false, false],
    ['not(? > 5)', 'a', null],
    ['not(? > 5)', 3, true],
    ['not([{}..1])', 1, null],
    ['not(flag) or ? = 2', 2, true],
    ['not(negand: flag)', 'a', false],
    ['[1..3] or ? = 50', 50, true],
    ['? in [1..3] and flag', 2, true],
  ])('%s with %j gives %j', (tests, input, expected) => {
    const tree = treeOf(tests, ['limit'], 'unary-tests');
    const result = evaluate(
      compile(tree),
      { '?': input, limit: 7, limits: [7, 8], flag: true },
      { now: NOON, mode: 'lenient' },
    );
    expect(result.ok && toJson(result.value)).toBe(expected);
  });
});
