import { describe, expect, test } from 'vitest';
import { parseFeel, type Parsed } from '../../feel/parse.js';
import { TREE_VERSION } from '../../feel/tree.js';
import { strict } from './support.js';

function parsed(text: string, names: string[] = []): Parsed {
  const result = parseFeel(text, { names });
  if (!result.ok) throw new Error(result.errors[0]?.message);
  return result;
}

describe('a text that is no FEEL', () => {
  test.each([
    ['', 1, 1, 'The expression is empty.'],
    ['   ', 1, 1, 'The expression is empty.'],
    ['1 +', 1, 4, 'The expression ends before it is complete.'],
    ['if a then 1', 1, 12, 'The expression ends before it is complete.'],
    ['1 + * 2', 1, 5, '"*" is not expected here.'],
    ['a = ) b', 1, 5, '")" is not expected here.'],
    ['foo(1,', 1, 7, 'The expression ends before it is complete.'],
    ['1\n+ 2 ]', 2, 5, '"]" is not expected here.'],
    ['"abc', 1, 1, 'A string begins here and does not end.'],
    ['[1..2', 1, 6, 'The expression ends before it is complete.'],
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
    ['too many quotes', '"'.repeat(10_001)],
    ['too many entries', `{${Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join(', ')}}`],
    ['too deep', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['too many conditions', Array.from({ length: 1500 }, () => 'a = 1').join(' and ')],
  ])('%s is refused, not parsed for ever', (_name, text) => {
    expect(parseFeel(text).ok).toBe(false);
  });
});

describe('what an expression needs', () => {
  test.each<[string, string[], string[][]]>([
    ['amount > 1000 and customer.country = "DE"', ['amount', 'customer'], [['amount'], ['customer', 'country']]],
    ['for i in items return i.price * factor', ['items', 'factor'], [['items'], ['factor']]],
    ['function(a) a + b', ['b'], [['b']]],
    ['{a: 1, b: a + c}', ['c'], [['c']]],
    ['some x in xs, y in x.ys satisfies y > limit', ['xs', 'limit'], [['xs'], ['limit']]],
    ['count(items)', ['items'], [['items']]],
    ['a.b.c + a.b', ['a'], [['a', 'b', 'c'], ['a', 'b']]],
    ['"text" + string(1)', [], []],
    ['x instance of number', ['x'], [['x']]],
    ['date(year, 1, 1)', ['year'], [['year']]],
    ['is defined(x.y)', ['x'], [['x', 'y']]],
    ['for i in 1..3 return partial', [], []],
  ])('%s', (text, freeVariables, paths) => {
    expect(parsed(text)).toMatchObject({ freeVariables, paths, unknownFunctions: [], possibleVariables: [] });
  });

  test('names inside of filters may be entries of the items', () => {
    expect(parsed('items[price > limit]')).toMatchObject({ freeVariables: ['items'], possibleVariables: ['price', 'limit'], paths: [['items'], ['price'], ['limit']] });
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
    ['count', { count: 5 }, 5],
    ['count(list)', { count: 5, list: [1] }, 1],
  ])('%s', (text, variables, expected) => {
    expect(strict(text, variables)).toEqual(expected);
  });
});
