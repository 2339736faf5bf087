import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  callFunction,
  coerce,
  compile,
  evaluate,
  Evaluation,
  FeelFunction,
  fromJson,
  hostFunction,
  simpleType,
  toJson,
  type Environment,
  type FeelType,
  type FeelValue,
} from '@perdure/feel/evaluate.js';
import { TREE_VERSION } from '@perdure/feel/tree.js';
import { NOON, strict, treeOf } from './support.js';

const STRICT = { now: NOON, mode: 'strict' } as const;
const LENIENT = { now: NOON, mode: 'lenient' } as const;
const type = (name: string): FeelType => simpleType(name) as FeelType;

describe('a function of the host', () => {
  const surcharge = hostFunction(
    'surcharge',
    [
      { name: 'amount', type: type('number') },
      { name: 'rate', type: type('number') },
    ],
    ([amount, rate], caller) =>
      caller.evaluate(compile(treeOf('amount * rate / divisor')), { amount, rate, divisor: 100 }),
  );

  test.each<[string, unknown]>([
    ['surcharge(200, 19)', 38],
    ['surcharge(rate: 19, amount: 200)', 38],
    ['for a in [100, 200] return surcharge(a, 10)', [10, 20]],
    ['surcharge instance of function<number, number>->number', true],
  ])('%s', (expression, result) => {
    expect(strict(expression, { surcharge })).toEqual(result);
  });

  test('checks its arguments before the host sees them', () => {
    for (const [expression, code] of [
      ['surcharge(1)', 'INVALID_ARGUMENT'],
      ['surcharge("1", 2)', 'TYPE_MISMATCH'],
      ['surcharge(amount: 1, percent: 2)', 'INVALID_ARGUMENT'],
    ] as const) {
      expect(evaluate(compile(treeOf(expression, ['surcharge'])), { surcharge }, STRICT)).toMatchObject({
        ok: false,
        error: { code },
      });
    }
  });

  test('wins over a built-in function of its name, which a plain variable does not', () => {
    const count = hostFunction('count', [{ name: 'x' }], () => 'mine');
    const expression = compile(treeOf('count([1])', ['count']));
    expect(evaluate(expression, { count }, STRICT)).toMatchObject({ ok: true, value: 'mine' });
    expect(evaluate(expression, { count: 5 }, STRICT)).toMatchObject({ ok: true, value: 1 });
  });

  test('spends the budget and fails in the mode of its caller', () => {
    const loop = hostFunction('loop', [], (_args, caller) =>
      caller.evaluate(compile(treeOf('loop()', ['loop'])), { loop }),
    );
    expect(evaluate(compile(treeOf('loop()', ['loop'])), { loop }, LENIENT)).toMatchObject({
      ok: false,
      error: { code: 'BUDGET' },
    });
    const broken = hostFunction('broken', [], (_args, caller) => caller.evaluate(compile(treeOf('1 / 0')), {}));
    expect(evaluate(compile(treeOf('broken()', ['broken'])), { broken }, STRICT)).toMatchObject({
      ok: false,
      error: { code: 'DIVISION_BY_ZERO' },
    });
    expect(evaluate(compile(treeOf('[broken()]', ['broken'])), { broken }, LENIENT)).toMatchObject({
      ok: true,
      value: [null],
      diagnostics: [{ code: 'DIVISION_BY_ZERO' }],
    });
  });

  test('that throws is reported, not passed on', () => {
    const wrong = hostFunction('wrong', [], () => {
      throw new TypeError('internal detail');
    });
    expect(evaluate(compile(treeOf('wrong()', ['wrong'])), { wrong }, STRICT)).toMatchObject({
      ok: false,
      error: { code: 'INTERNAL', message: 'The evaluation failed unexpectedly (TypeError).' },
    });
  });

  test('may call the functions it is given', () => {
    const twice = hostFunction('twice', [{ name: 'f' }, { name: 'x' }], ([f, x], caller) =>
      caller.call(f as FeelFunction, [caller.call(f as FeelFunction, [x as FeelValue])]),
    );
    expect(strict('twice(function(n) n * 3, 2)', { twice })).toBe(18);
  });
});

describe('a function that leaves its expression', () => {
  test('sees the variables of the place where it was written', () => {
    const made = evaluate(compile(treeOf('function(x) x + offset')), { offset: 10 }, STRICT);
    const add = made.ok ? made.value : null;
    expect(strict('add(1)', { add, offset: 500 })).toBe(11);
    expect(callFunction(add as FeelFunction, [2], STRICT)).toMatchObject({ ok: true, value: 12 });
  });
});

describe('several evaluations of one budget', () => {
  const tests = compile(treeOf('< limit, 100', [], 'unary-tests'));

  test('test inputs one after the other', () => {
    const evaluation = new Evaluation(LENIENT);
    expect([4, 5, 100, 'a', null].map((input) => evaluation.test(tests, input, { limit: 5 }))).toEqual([
      true,
      false,
      true,
      null,
      null,
    ]);
    expect(evaluation.takeDiagnostics()).toHaveLength(3);
    expect(evaluation.takeDiagnostics()).toEqual([]);
    expect(evaluation.evaluate(compile(treeOf('1 / 0')), {})).toMatchObject({
      ok: true,
      value: null,
      diagnostics: [{ code: 'DIVISION_BY_ZERO' }],
    });
    expect(evaluation.evaluate(compile(treeOf('a')), { a: 1 })).toMatchObject({ ok: true, value: 1 });
  });

  test('end together when it is spent', () => {
    const evaluation = new Evaluation({ ...LENIENT, budget: { steps: 1000 } });
    const loop = compile(treeOf('count(for i in 1..100 return i)'));
    expect(evaluation.evaluate(loop, {})).toMatchObject({ ok: true, value: 100 });
    const results = Array.from({ length: 10 }, () => evaluation.evaluate(loop, {}).ok);
    expect(results.at(-1)).toBe(false);
  });

  test('fail strictly with the error as result', () => {
    expect(new Evaluation(STRICT).test(tests, 'a', { limit: 5 })).toMatchObject({
      ok: false,
      error: { code: 'TYPE_MISMATCH' },
    });
  });
});

describe('the operations of an evaluation', () => {
  const operationsOf = (text: string, variables = {}, environment: Environment = STRICT) =>
    evaluate(compile(treeOf(text)), variables, environment).operations;

  test('are reported, whether it succeeds or fails', () => {
    expect(operationsOf('1')).toBeLessThan(10);
    expect(operationsOf('count(for i in 1..10000 return i)')).toBeGreaterThanOrEqual(10_000);
    expect(operationsOf('(for i in 1..10000 return i)[1] + "a"')).toBeGreaterThanOrEqual(10_000);
  });

  test('include the writing out of the result', () => {
    const data = Array.from({ length: 80_000 }, (_, index) => index);
    expect(operationsOf('data', { data })).toBeGreaterThanOrEqual(10_000);
    expect(operationsOf('data', { data: 'x'.repeat(640_000) })).toBe(10_001);
    expect(operationsOf('[data, data, data]', { data })).toBeGreaterThanOrEqual(30_000);
  });

  test('end at the steps that the caller allows, which never raise the budget', () => {
    const loop = compile(treeOf('count(for i in 1..1000 return i)'));
    const allowed = operationsOf('count(for i in 1..1000 return i)');
    expect(evaluate(loop, {}, { ...STRICT, steps: allowed })).toMatchObject({ ok: true, operations: allowed });
    expect(evaluate(loop, {}, { ...STRICT, steps: allowed - 1 })).toMatchObject({
      ok: false,
      error: { code: 'BUDGET' },
      operations: allowed - 1,
    });
    expect(evaluate(loop, {}, { ...STRICT, budget: { steps: 10 }, steps: allowed })).toMatchObject({
      ok: false,
      operations: 10,
    });
  });

  test('are those of each evaluation where several share a budget', () => {
    const evaluation = new Evaluation(STRICT);
    const loop = compile(treeOf('count(for i in 1..1000 return i)'));
    expect(evaluation.evaluate(loop, {}).operations).toBe(evaluation.evaluate(loop, {}).operations);
  });
});

describe('a FEEL function outside of its expression', () => {
  test('is called by the host, with what it has closed over', () => {
    const made = evaluate(compile(treeOf('for factor in [2] return function(n: number) n * factor')), {}, STRICT);
    const fn = made.ok ? (made.value as FeelValue[])[0] : null;
    expect(fn).toBeInstanceOf(FeelFunction);
    expect(callFunction(fn as FeelFunction, [21], STRICT)).toMatchObject({ ok: true, value: 42 });
    expect(callFunction(fn as FeelFunction, ['x'], STRICT)).toMatchObject({
      ok: false,
      error: { code: 'TYPE_MISMATCH' },
    });
    expect(toJson(fn as FeelValue)).toBe(null);
  });
});

describe('types', () => {
  const person: FeelType = {
    kind: 'context',
    entries: [
      { name: 'name', type: type('string') },
      { name: 'born', type: type('date') },
    ],
  };

  test('of the host are known to "instance of" and to parameters', () => {
    const environment = { ...STRICT, resolveType: (name: string) => (name === 'tPerson' ? person : undefined) };
    const evaluateWith = (text: string): unknown => evaluate(compile(treeOf(text)), {}, environment);
    expect(evaluateWith('{name: "Ada", born: @"1815-12-10"} instance of tPerson')).toMatchObject({
      ok: true,
      value: true,
    });
    expect(evaluateWith('{name: "Ada"} instance of tPerson')).toMatchObject({ ok: true, value: false });
    expect(evaluateWith('[{name: "Ada", born: null}] instance of list<tPerson>')).toMatchObject({
      ok: true,
      value: true,
    });
    expect(evaluateWith('(function(p: tPerson) p.name)("x")')).toMatchObject({
      ok: false,
      error: { code: 'TYPE_MISMATCH' },
    });
  });

  test.each<[FeelValue, FeelType, FeelValue | undefined]>([
    [1, type('number'), 1],
    ['1', type('number'), undefined],
    [null, type('number'), null],
    [[1], type('number'), 1],
    [[1, 2], type('number'), undefined],
    [1, { kind: 'list', element: type('number') }, [1]],
    ['a', { kind: 'list', element: type('number') }, undefined],
    [{ a: 1 }, type('Any'), { a: 1 }],
  ])('%j coerced to %j is %j', (value, to, expected) => {
    expect(coerce(value, to)).toEqual(expected);
  });

  test('read dates and durations out of JSON', () => {
    const read = fromJson([{ name: 'Ada', born: '1815-12-10', extra: 1 }], {
      kind: 'list',
      element: person,
    }) as FeelValue;
    expect(strict('p[1].born.year', { p: read })).toBe(1815);
    expect(toJson(read)).toEqual([{ name: 'Ada', born: '1815-12-10', extra: 1 }]);
    expect(fromJson('yesterday', type('date'))).toBeUndefined();
    expect(strict('d + duration("PT1H")', { d: fromJson('P1D', type('days and time duration')) })).toBe('P1DT1H');
  });
});

describe('variables', () => {
  test('are looked up one by one where the host has its own scopes', () => {
    const asked: string[] = [];
    const source = { has: (name: string) => (asked.push(name), name === 'a'), get: () => 2 };
    expect(evaluate(compile(treeOf('a * a + get or else(b, 1)')), source, STRICT)).toMatchObject({
      ok: true,
      value: 5,
    });
    expect(asked).toEqual(['a', 'a', 'b']);
  });

  test('and results are not copied', () => {
    const customer = { name: 'Ada' };
    const result = evaluate(compile(treeOf('customer')), { customer }, STRICT);
    expect(result.ok && result.value).toBe(customer);
  });

  test('that are undefined count as missing', () => {
    expect(evaluate(compile(treeOf('a')), { a: undefined }, STRICT)).toMatchObject({
      ok: false,
      error: { code: 'UNRESOLVED_VARIABLE' },
    });
  });
});

/** The source file of an import of a neighbor, or of `@perdure/lib`, the only package that FEEL imports. */
function sourceOf(imported: string, importer: string): string {
  expect(imported).toMatch(/^(?:\.|@perdure\/lib\/)/);
  const file = imported.startsWith('.')
    ? join(importer, '..', imported)
    : join(import.meta.dirname, '../../packages', imported.replace('@perdure/', ''));
  return file.replace(/\.js$/, '.ts');
}

describe('the evaluator', () => {
  test('refuses a tree of a version that was never written', () => {
    expect(() => compile({ ...treeOf('1'), version: TREE_VERSION + 1 })).toThrow(/version 2.*reads versions up to 1/);
  });

  test('never loads the parser', () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, imported] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export) (?!type ).*? from '([^']+)'/gms,
      )) {
        visit(sourceOf(imported as string, file));
      }
    };
    visit(join(import.meta.dirname, '../../packages/feel/evaluate.ts'));
    const folders = [...seen].map((file) => file.split('/').at(-2));
    expect(folders).not.toContain('syntax');
    expect(readdirSync(join(import.meta.dirname, '../../packages/feel')).length).toBeGreaterThan(0);
  });
});
