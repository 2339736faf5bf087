import { describe, expect, test } from 'vitest';
import { compile, evaluate } from '@perdure/feel/evaluate.js';
import { parseFeel, type Parsed } from '@perdure/feel/parse.js';
import { TREE_VERSION } from '@perdure/feel/tree.js';
import { NOON, strict } from './support.js';

function parsed(text: string, names: string[] = []): Parsed {
  const result = parseFeel(text, { names });
  if (!result.ok) throw new Error(result.errors[0]?.message);
  return result;
}

describe('a text that is not FEEL', () => {
  test.each([
    ['', 1, 1, 'The expression is empty.'],
    ['   ', 1, 1, 'The expression is empty.'],
    ['1 +', 1, 4, 'The expression is incomplete.'],
    ['if a then 1', 1, 12, 'The expression is incomplete.'],
    ['1 + * 2', 1, 5, '"*" is not expected here.'],
    ['a = ) b', 1, 5, '")" is not expected here.'],
    ['foo(1,', 1, 7, 'The expression is incomplete.'],
    ['1\n+ 2 ]', 2, 5, '"]" is not expected here.'],
    ['"abc', 1, 1, 'A string starts here and does not end.'],
    ['[1..2', 1, 6, 'The expression is incomplete.'],
    ['n == 1', 1, 3, '"==" is not a FEEL operator. Write "=" to compare.'],
    ['n = = 1', 1, 5, '"=" is not expected here.'],
    ['a and\n> 5', 2, 1, '">" is not expected here.'],
    ['a >\n  >= 5', 2, 3, '">=" is not expected here.'],
    ['a = 1 "b"', 1, 7, 'A string is not expected here.'],
    ['1 + between', 1, 5, '"between" is not expected here. A name like this needs backticks: `between`.'],
    ['amount\ntotal', 2, 1, '"total" is not expected here.'],
    ['1 /* one', 1, 3, 'A comment starts here and does not end.'],
    ['a.`b', 1, 3, 'A name in backticks starts here and does not end.'],
    ['a instance of list<number', 1, 26, 'The expression is incomplete.'],
    [`1 ${'é'.repeat(61)}`, 1, 3, 'A name is not expected here.'],
    ['x y z', 1, 1, 'first name'],
  ])('%j is refused with line %i, column %i', (text, line, column, message) => {
    const result = parseFeel(text);
    if (message === 'first name') {
      // Names may have spaces, so this is one unknown name.
      expect(result).toMatchObject({ ok: true, freeVariables: ['x y z'] });
      return;
    }
    expect(result).toEqual({ ok: false, errors: [expect.objectContaining({ code: 'SYNTAX', line, column, message })] });
  });

  test.each([
    ['too long', 'a'.repeat(20_000)],
    ['too many items', `[${'1,'.repeat(5000)}1]`],
    ['too many brackets', '{'.repeat(10_000)],
    ['too many signs', '-'.repeat(1900)],
    ['too many calls', 'f('.repeat(900)],
    ['too many comments that do not end', '/* '.repeat(5000)],
    ['too many quotes', '"'.repeat(10_001)],
    ['too many entries', `{${Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join(', ')}}`],
    ['too deep', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['too many conditions', Array.from({ length: 1500 }, () => 'a = 1').join(' and ')],
  ])('%s is refused, not parsed forever', (_name, text) => {
    expect(parseFeel(text).ok).toBe(false);
  });
});

describe('a text at the limits', () => {
  const LEVELS = 390;
  const NAMES = Array.from({ length: 300 }, (_, index) => Array.from({ length: index + 1 }, () => 'a').join(' '));

  /** Each takes hours where its cost grows with a power of its length. */
  test.each<[string, string, string[]?]>([
    ['nested tests of "in"', `${'1 in ['.repeat(240)}1${'..2]'.repeat(240)}`],
    ['nested comparisons of "in"', `${'1 in > '.repeat(600)}1`],
    ['nested filters', `${'xs['.repeat(LEVELS)}1${']'.repeat(LEVELS)}`],
    ['nested calls', `${'date('.repeat(LEVELS)}1${')'.repeat(LEVELS)}`],
    ['nested loops that use "partial"', `${'for i in partial return '.repeat(300)}partial`],
    ['nested calls behind operators', `${'f(a + b - c + d * '.repeat(180)}1${')'.repeat(180)}`],
    ['comments', `${'/**/'.repeat(4000)}1`],
    ['filters under names that begin alike', `x${`[${NAMES[80]!}]`.repeat(20)}`, NAMES],
    ['names of one letter', 'a '.repeat(1900)],
    ['a path', `a${'.b'.repeat(990)}`],
    ['names declared by the text', `{${Array.from({ length: 280 }, (_, index) => `k-${index}: 1`).join(', ')}}`],
  ])('%s is read, compiled and evaluated', (_name, text, names = []) => {
    const result = parseFeel(text, { names });
    if (!result.ok) throw new Error(result.errors[0]!.message);
    expect(evaluate(compile(result.tree), {}, { now: NOON, mode: 'lenient' })).toHaveProperty('ok');
  });

  test('the level of nesting is the same on every stack', () => {
    expect(parseFeel(`${'('.repeat(399)}1${')'.repeat(399)}`).ok).toBe(true);
    expect(parseFeel(`${'('.repeat(401)}1${')'.repeat(401)}`)).toMatchObject({
      ok: false,
      errors: [
        {
          message: 'The expression is nested more than 400 levels deep. Move parts of it into variables.',
          line: 1,
          column: 401,
        },
      ],
    });
  });
});

describe('an interval', () => {
  test.each<[string, unknown]>([
    ['[1..a+1[', '[1..6)'],
    [']1..2*3[', '(1..6)'],
    ['[-9..-a[', '[-9..-5)'],
    ['(1..8 / 2[', '(1..4)'],
    ['[1..xs[2][', '[1..2)'],
    ['[1..xs[2]]', '[1..2]'],
    ['[1..xs[-1][', '[1..3)'],
    ['[1..(a)[', '[1..5)'],
    ['[1..if true then a else 1[', '[1..5)'],
    ['[date("2020-01-01")..date("2020-01-01")+duration("P1D")[', '[2020-01-01..2020-01-02)'],
    ['[]1..3[]', ['(1..3)']],
    ['[](1)..a[, [1..a[, []]', ['(1..5)', '[1..5)', []]],
    ['n in [1..a+1[ and n = 3', true],
    ['n in ]n..a+1[ or n in [1..a[', true],
    ['{r: [1..a[}.r.end', 5],
    ['[1..a[ = [1..5)', true],
  ])('%s may close with "["', (text, expected) => {
    expect(strict(text, { a: 5, n: 3, xs: [1, 2, 3] })).toEqual(expected);
  });

  test('may close with "[" in a cell', () => {
    expect(parseFeel(']1..t / 1[, >= 1', { kind: 'unary-tests' }).ok).toBe(true);
  });
});

describe('a reserved word', () => {
  const order = {
    instance: 1,
    external: 2,
    between: 3,
    some: 4,
    for: 5,
    if: 6,
    and: true,
    null: 8,
    'for each': 9,
    in: { return: 10 },
  };

  test.each<[string, unknown]>([
    ['order.instance', 1],
    ['order.external + order.between', 5],
    ['if order.if = 6 then order.for else order.some', 5],
    ['order.and and true', true],
    ['order.null', 8],
    ['order.for each', 9],
    ['order.in.return', 10],
    ['[order].if', [6]],
    ['order.instance instance of number', true],
    ['{if: 1, then: if + 1}', 'syntax'],
    ['{if: 1, then: 2}.then', 2],
    ['external', 7],
  ])('%s is a name behind a point', (text, expected) => {
    if (expected === 'syntax') expect(parseFeel(text).ok).toBe(false);
    else expect(strict(text, { order, external: 7 })).toEqual(expected);
  });
});

describe('the free names of an expression', () => {
  test.each<[string, string[], string[][]]>([
    ['amount > 1000 and customer.country = "DE"', ['amount', 'customer'], [['amount'], ['customer', 'country']]],
    ['for i in items return i.price * factor', ['items', 'factor'], [['items'], ['factor']]],
    ['function(a) a + b', ['b'], [['b']]],
    ['{a: 1, b: a + c}', ['c'], [['c']]],
    ['some x in xs, y in x.ys satisfies y > limit', ['xs', 'limit'], [['xs'], ['limit']]],
    ['count(items)', ['items'], [['items']]],
    [
      'a.b.c + a.b',
      ['a'],
      [
        ['a', 'b', 'c'],
        ['a', 'b'],
      ],
    ],
    ['"text" + string(1)', [], []],
    ['x instance of number', ['x'], [['x']]],
    ['date(year, 1, 1)', ['year'], [['year']]],
    ['is defined(x.y)', ['x'], [['x', 'y']]],
    ['for i in 1..3 return partial', [], []],
  ])('%s', (text, freeVariables, paths) => {
    expect(parsed(text)).toMatchObject({ freeVariables, paths, unknownFunctions: [], possibleVariables: [] });
  });

  test('names inside of filters may be entries of the items', () => {
    expect(parsed('items[price > limit]')).toMatchObject({
      freeVariables: ['items'],
      possibleVariables: ['price', 'limit'],
      paths: [['items'], ['price'], ['limit']],
    });
    expect(parsed('items[item.price > 1]')).toMatchObject({ freeVariables: ['items'], possibleVariables: [] });
  });

  test('functions that nothing defines are unknown', () => {
    expect(parsed('1 +\n  twice(2)').unknownFunctions).toEqual([{ name: 'twice', from: 6, line: 2, column: 3 }]);
    expect(parsed('twice(2)', ['twice']).unknownFunctions).toEqual([]);
    expect(parsed('{twice: function(n) n * 2, r: twice(2)}.r').unknownFunctions).toEqual([]);
  });

  test('the tree is plain JSON of a known version', () => {
    const { tree } = parsed('if a then [1..2] else @"P1D"');
    expect(JSON.parse(JSON.stringify(tree))).toEqual(tree);
    expect(tree.version).toBe(TREE_VERSION);
  });
});

describe('names with spaces and operators', () => {
  test.each<[string, Record<string, unknown>, unknown]>([
    ['due date + 1', { 'due date': 2 }, 3],
    ['a-b', { 'a-b': 7, a: 1, b: 2 }, 7],
    ['a - b', { a: 5, b: 2 }, 3],
    ['customer.first name', { customer: { 'first name': 'Ada' } }, 'Ada'],
    ["Mike's daughter.age", { "Mike's daughter": { age: 4 } }, 4],
    ['orders[due date > 1].due date', { orders: [{ 'due date': 1 }, { 'due date': 2 }] }, [2]],
    ['for o in orders return o.due date', { orders: [{ 'due date': 1 }] }, [1]],
    ['for i in days in weekend return i', { 'days in weekend': ['Sunday'] }, ['Sunday']],
    ['`any name!` * 2', { 'any name!': 2 }, 4],
    ['{first name: "a", full name: first name + "b"}.full name', {}, 'ab'],
    ['(function(first number, second number) first number - second number)(second number: 1, first number: 3)', {}, 2],
    ['größe + 1', { größe: 1 }, 2],
    ['address line 2 + 1', { 'address line 2': 1 }, 2],
    ['a-b + a - b', { 'a-b': 7, a: 5, b: 2 }, 14],
    ['{a-b: 7, c: a-b}.c', { a: 5, b: 2 }, 7],
    ['[{a-b: 7}.a-b, a-b]', { a: 5, b: 2 }, [7, 3]],
    ['{a-x: [1..2], r: a-x.end}.r', {}, 2],
    ['[{"a-b": 1}, {"a-b": 2}][a-b > 1].a-b', {}, [2]],
    ['for a-b in [1, 2] return a-b * 2', {}, [2, 4]],
    ['date and time > 1', { 'date and time': 2 }, true],
    ['date("2026-01-01").year', { date: 1 }, 2026],
    ['first /* of two */ name', { 'first name': 'Ada' }, 'Ada'],
    ['count', { count: 5 }, 5],
    ['count(list)', { count: 5, list: [1] }, 1],
  ])('%s', (text, variables, expected) => {
    expect(strict(text, variables)).toEqual(expected);
  });
});
