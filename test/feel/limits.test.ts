/** Work is charged before it is done: what an evaluation may take does not depend on which function does it, or with what. */
import { describe, expect, test } from 'vitest';
import { compile, evaluate, toJson, type Evaluated, type NotEvaluated } from '@perdure/feel/evaluate.js';
import { failure, NOON, run, strict, treeOf } from './support.js';

function evaluated(expression: string, variables: Record<string, unknown> = {}): Evaluated | NotEvaluated {
  return evaluate(compile(treeOf(expression)), variables, { now: NOON, mode: 'strict' });
}

describe('the text of numbers', () => {
  test('of thousands of places is charged by its length', () => {
    expect(evaluated('string(1e-6176) != "x"').operations).toBeGreaterThanOrEqual(6176 / 64);
    expect(failure('for i in 1..5000 return string length(string(1e-6176))').code).toBe('BUDGET');
  });

  test('in a list is refused before all of it is written', () => {
    const tiny = Array.from({ length: 50_000 }, () => 5e-324);
    const result = evaluated('string(tiny)', { tiny });
    expect(result).toMatchObject({ ok: false, error: { code: 'BUDGET' } });
    expect(result.operations).toBeLessThan(50_000);
    expect(failure('string(for i in 1..2000 return 1e-6176)').code).toBe('BUDGET');
  });

  test('has no zeros at its end', () => {
    expect(strict('string(1e-6176)')).toBe(`0.${'0'.repeat(6175)}1`);
    expect(strict('[string(-1.50), string(0.1 + 0.2), string(1e-7 * 10), string(1 / 3 * 3), string(2.5e-8)]')).toEqual([
      '-1.5',
      '0.3',
      '0.000001',
      '0.9999999999999999999999999999999999',
      '0.000000025',
    ]);
  });

  test('of a range as a result is counted before it is written', () => {
    const half = 'a'.repeat(600_000);
    expect(evaluated('[half..end]', { half, end: `${half}b` })).toMatchObject({ ok: false, error: { code: 'BUDGET' } });
    const result = evaluated('[1e-6176..1]');
    expect(result.operations).toBeGreaterThanOrEqual(6176 / 64);
    expect(result.ok && toJson(result.value)).toBe(`[0.${'0'.repeat(6175)}1..1]`);
  });
});

describe('paths of keys', () => {
  test('longer than a result may be deep are refused before anything is copied', () => {
    const keys = Array.from({ length: 60_000 }, () => 'a');
    const result = evaluated('context put({}, keys, 1)', { keys });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'BUDGET', message: '"context put": a path of 60000 keys exceeds the evaluation limit of 1000.' },
    });
    expect(evaluated('get value({}, keys)', { keys }).operations).toBeGreaterThanOrEqual(60_000);
  });

  test('of some hundred keys are put and read', () => {
    const keys = Array.from({ length: 900 }, (_, index) => `k${index}`);
    expect(strict('get value(context put({}, keys, 1), keys)', { keys })).toBe(1);
    expect(strict('context put({a: {b: 1, c: 2}}, ["a", "b"], 3)')).toEqual({ a: { b: 3, c: 2 } });
  });
});

describe('rounding', () => {
  test.each([
    ['floor(1e-6000 / 3)', 0],
    ['floor(-1e-6000 / 3)', -1],
    ['ceiling(1e-6000 / 3)', 1],
    ['round up(-1e-6000 / 3, 0)', -1],
    ['round half up(1e-6000 / 3, 0)', 0],
    ['decimal(1e-6000 / 3, 2)', 0],
    ['decimal(5e-6000, 2)', 0],
    ['duration("P1D") * (1e-6000 / 3) = duration("PT0S")', true],
  ])('%s gives %s', (expression, expected) => {
    expect(strict(expression)).toBe(expected);
  });
});

describe('number()', () => {
  test('refuses a text that is too long before it looks at its characters', () => {
    const text = '1,'.repeat(400_000);
    const { message, code } = failure('number(text, ",", ".")', { text });
    expect([code, message]).toEqual([
      'INVALID_ARGUMENT',
      '"number": the text is not a number: it has more than 1000 characters.',
    ]);
  });
});

describe('from json', () => {
  test.each(['1e400', '-1e400', '[1, 9007199254740993]', '{"a": 1e-400}', '0.12345678901234567890'])(
    '%s has a number that FEEL would change',
    (text) => {
      expect(failure('from json(text)', { text })).toMatchObject({ code: 'INVALID_ARGUMENT' });
    },
  );

  test.each<[string, unknown]>([
    [
      '["1e400", "\\"9007199254740993", 1.50, -0.0, 1e2, 9007199254740991]',
      ['1e400', '"9007199254740993', 1.5, 0, 100, 9007199254740991],
    ],
    ['{"1e400": {"\\\\": 123456789012345680}}', { '1e400': { '\\': 123456789012345680 } }],
    ['""', ''],
  ])('%s is read as it is', (text, expected) => {
    const result = run('from json(text)', { text });
    expect(result.ok && JSON.parse(JSON.stringify(toJson(result.value)))).toEqual(expected);
  });
});
