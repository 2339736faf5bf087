/** Expressions and data that would run forever, fill the memory or end the process: each ends by its budget, in both modes. */
import { describe, expect, test, vi } from 'vitest';
import { compile, evaluate, toJson, type FeelErrorCode } from '@perdure/feel/evaluate.js';
import { NOON, treeOf } from './support.js';

/** Hundreds of cases, or costly ones, on a busy machine too. */
vi.setConfig({ testTimeout: 60_000 });

const LONG = 'a'.repeat(100_000);
const BIG = Array.from({ length: 10_000 }, (_, index) => index);

function nested(wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let depth = 0; depth < 20_000; depth++) value = wrap(value);
  return value;
}

const VARIABLES = {
  long: LONG,
  longer: LONG.repeat(10),
  other: `${LONG.slice(1)}a`,
  big: BIG,
  records: BIG.slice(0, 5000).map((id) => ({ id, group: `g${id % 7}` })),
  deepContext: nested((inner) => ({ a: inner })),
  deepList: nested((inner) => [inner]),
  pattern: '(a|a)*$',
};

const RECURSIVE = '(function(f, n) f(f, n + 1))(function(f, n) f(f, n + 1), 1)';
const FIBONACCI =
  '(function(f, n) if n < 2 then n else f(f, n - 1) + f(f, n - 2))(function(f, n) if n < 2 then n else f(f, n - 1) + f(f, n - 2), 60)';

const HOSTILE: string[] = [
  'count(for i in 1..1000000000 return i) > 0',
  'some i in 1..1000000000 satisfies i < 0',
  'every i in 1..1000, j in 1..1000, k in 1..1000 satisfies true',
  'for i in [1..1000000000] return i',
  'for i in 1..1000 return for j in 1..1000 return i * j',
  'for i in @"-9999-01-01"..@"9999-12-31" return i',
  'for i in 1..100000 return partial',
  'for i in 1..20000 return concatenate(partial, [i])',
  'for i in 1..60 return [partial[-1], partial[-1]]',
  'for i in 1..60 return if i = 1 then "ab" else partial[-1] + partial[-1]',
  'string(for i in 1..60 return [partial[-1], partial[-1]])',
  'to json(for i in 1..60 return [partial[-1], partial[-1]])',
  'flatten(for i in 1..60 return [partial[-1], partial[-1]])',
  '{a: for i in 1..60 return [partial[-1], partial[-1]], b: for i in 1..60 return [partial[-1], partial[-1]], same: a = b}.same',
  RECURSIVE,
  FIBONACCI,
  '(function(f) f(f))(function(f) f(f))',
  'matches(longer, "^(a+)+$")',
  'matches(long, "(a+)\\1b")',
  'matches(long, "((a*)*)*\\2b")',
  'replace(longer, "a", "bb")',
  'replace(long, "a{500}|a", "$0$0")',
  'split(longer, "a")',
  'for i in 1..100000 return contains(long, "aaaaab")',
  'for i in 1..100000 return other = long',
  'for i in 1..100000 return longer + "a" = longer',
  'for i in 1..100000 return upper case(long)',
  'for i in 1..100000 return long',
  'for i in 1..100000 return max(big)',
  'for i in 1..100000 return sublist(big, 2)',
  'for i in 1..100000 return append(big, 1)',
  'for i in 1..100000 return big instance of list<number>',
  'for i in 1..100000 return [big] instance of list<list<number>>',
  'for i in 1..100000 return records.id',
  'for i in 1..100000 return 1.1 ** 1.1',
  'for i in 1..100000 return (1 / 3) * (1 / 7)',
  'for i in 1..100000 return modulo(1e308, 1e-308 / 3)',
  'for i in 1..100000 return date and time("2026-01-01T00:00:00@Europe/Paris") > now()',
  'for i in 1..100000 return date and time("2026-01-01T00:00:00@No/Where" + string(i))',
  'for i in big return big[item = i]',
  'distinct values(records)',
  'duplicate values(big)',
  'sort(for i in 1..60000 return i, function(a, b) a > b)',
  'deepContext = deepContext',
  'deepList = deepList',
  'flatten(deepList)',
  'string(deepContext)',
  'deepContext',
  'deepList',
];

/** Costly, but within the limits; or refused at once. */
const HARMLESS: string[] = [
  'matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "^(a+)+$")',
  'matches(substring(long, 1, 10000), pattern)',
  'sum(big)',
  'count(records[group = "g1"])',
  'for i in 1..1.5 return i',
  'some i in 1..2.5 satisfies false',
  '10 ** 1000000',
  '9 ** 9 ** 9 ** 9',
  '2 ** 0.123456789 ** 3',
  'number(long)',
  'date(long)',
  'duration(long)',
  'range(long)',
  'matches("a", long)',
  'matches("a", "((((a{10}){10}){10}){10}){10}")',
  'substring(longer, -1)',
];

describe('hostile FEEL', () => {
  const BUDGET: FeelErrorCode = 'BUDGET';

  test.each(HOSTILE)('%s is over the budget in lenient mode', (expression) => {
    const result = evaluate(compile(treeOf(expression)), VARIABLES, { now: NOON, mode: 'lenient' });
    expect(result).toMatchObject({ ok: false, error: { code: BUDGET } });
  });

  test.each(HOSTILE)('%s fails in strict mode', (expression) => {
    expect(evaluate(compile(treeOf(expression)), VARIABLES, { now: NOON, mode: 'strict' }).ok).toBe(false);
  });

  test.each(HARMLESS)('%s ends', (expression) => {
    const result = evaluate(compile(treeOf(expression)), VARIABLES, { now: NOON, mode: 'lenient' });
    expect(result.ok && JSON.stringify(toJson(result.value)).length).toBeTruthy();
  });

  test('a smaller budget ends sooner', () => {
    const expression = compile(treeOf('for i in 1..50 return i'));
    expect(evaluate(expression, {}, { now: NOON, mode: 'strict', budget: { steps: 40 } })).toMatchObject({
      ok: false,
      error: { code: BUDGET },
    });
    expect(evaluate(expression, {}, { now: NOON, mode: 'strict', budget: { listLength: 40 } })).toMatchObject({
      ok: false,
      error: { code: BUDGET },
    });
    expect(evaluate(expression, {}, { now: NOON, mode: 'strict', budget: { steps: 1000 } }).ok).toBe(true);
  });
});

describe('names of the host language', () => {
  const NAMES = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'prototype', 'valueOf'];

  test.each(NAMES)('%s is not a variable, entry or property', (name) => {
    for (const expression of [
      name,
      `{}.${name}`,
      `x.${name}`,
      `"a".${name}`,
      `[1].${name}`,
      `date("2026-01-01").${name}`,
      `(function(a) a).${name}`,
      `x.${name}.${name}("return process")()`,
    ]) {
      expect(evaluate(compile(treeOf(expression)), { x: {} }, { now: NOON, mode: 'strict' }).ok).toBe(false);
    }
    const read = evaluate(compile(treeOf(`get value(x, "${name}")`)), { x: {} }, { now: NOON, mode: 'strict' });
    expect(read).toMatchObject({ ok: true, value: null });
  });

  test.each(NAMES)('%s is an entry name like any other', (name) => {
    for (const expression of [
      `{"${name}": 1}`,
      `context put({}, "${name}", 1)`,
      `context([{key: "${name}", value: 1}])`,
      `context merge([{"${name}": 1}])`,
      `from json("{\\"${name}\\": 1}")`,
      `{a: {"${name}": 1}}.a`,
    ]) {
      const result = evaluate(compile(treeOf(expression)), {}, { now: NOON, mode: 'strict' });
      expect(result.ok && Object.entries(toJson(result.value) as object)).toEqual([[name, 1]]);
    }
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(12);
  });

  test('a variable source of the host is read through its methods only', () => {
    const source = { has: (name: string) => name === 'constructor', get: () => 5 };
    expect(evaluate(compile(treeOf('constructor + 1')), source, { now: NOON, mode: 'strict' })).toMatchObject({
      ok: true,
      value: 6,
    });
    expect(evaluate(compile(treeOf('toString')), source, { now: NOON, mode: 'strict' }).ok).toBe(false);
  });
});
