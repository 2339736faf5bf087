/** Random expressions over random data: evaluation ends in a result, is the same each time, and never asks the host for anything. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { builtinNames } from '@perdure/feel/builtins/index.js';
import { compile, evaluate, toJson } from '@perdure/feel/evaluate.js';
import { parseFeel } from '@perdure/feel/parse.js';
import { scale, scaled } from '../engine/random/seeds.js';
import { NOON } from './support.js';

/** Properties run hundreds of cases, on a busy machine too. */
vi.setConfig({ testTimeout: 60_000 * scale });

const VARIABLES = ['a', 'b', 'list', 'customer', 'missing'];

const { expression } = fc.letrec<{ expression: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(
      ...VARIABLES,
      'item',
      'partial',
      '?',
      'null',
      'true',
      'false',
      '[]',
      '{}',
      'customer.name',
      'list[1]',
    ),
    fc.integer({ min: -20, max: 20 }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((value) => value.toFixed(3)),
    fc.constantFrom(
      '"a"',
      '"b-1"',
      '""',
      '"(a+)+$"',
      '@"2026-11-21"',
      '@"10:00:00Z"',
      '@"2026-11-21T10:00:00+02:00"',
      '@"P1DT2H"',
      '@"-P1Y2M"',
      '[1..5]',
      '(1..3)',
      '> 3',
      '= "a"',
    ),
  ),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '**', '=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'in'),
        tie('expression'),
      )
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([condition, then, otherwise]) => `(if ${condition} then ${then} else ${otherwise})`),
    fc
      .tuple(fc.constantFrom(...builtinNames()), fc.array(tie('expression'), { maxLength: 4 }))
      .map(([name, args]) => `${name}(${args.join(', ')})`),
    fc.tuple(tie('expression'), tie('expression')).map(([list, body]) => `(for i in ${list} return ${body})`),
    fc.tuple(tie('expression'), tie('expression')).map(([end, body]) => `(for i in 1..${end} return ${body})`),
    fc
      .tuple(fc.constantFrom('some', 'every'), tie('expression'), tie('expression'))
      .map(([kind, list, condition]) => `(${kind} x in ${list} satisfies ${condition})`),
    fc.tuple(tie('expression'), tie('expression')).map(([list, condition]) => `${list}[${condition}]`),
    fc
      .tuple(tie('expression'), fc.constantFrom('name', 'a', 'year', 'start', 'constructor', '__proto__'))
      .map(([target, name]) => `(${target}).${name}`),
    fc.tuple(tie('expression'), tie('expression')).map(([first, second]) => `{a: ${first}, "b c": ${second}}`),
    fc.array(tie('expression'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([body, argument]) => `(function(n) ${body})(${argument})`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          'number',
          'list<string>',
          'context<a: number>',
          'date and time',
          'function<Any>->Any',
          'Unknown',
        ),
      )
      .map(([value, type]) => `(${value} instance of ${type})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([value, low, high]) => `(${value} between ${low} and ${high})`),
  ),
}));

const data = fc.record({
  a: fc.jsonValue(),
  b: fc.jsonValue(),
  list: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 5 }),
  customer: fc.record({ name: fc.string(), a: fc.integer() }),
  '?': fc.jsonValue(),
});

describe('a random expression', () => {
  const spies: { mockRestore(): void }[] = [];
  const touched: string[] = [];

  beforeAll(() => {
    const watch = (target: object, method: string): void => {
      spies.push(
        vi.spyOn(target as Record<string, () => unknown>, method).mockImplementation(() => {
          touched.push(method);
          return 0;
        }),
      );
    };
    watch(globalThis, 'fetch');
    watch(process, 'cwd');
    watch(process, 'exit');
  });

  afterAll(() => spies.forEach((spy) => spy.mockRestore()));

  test('ends in the same result each time, in either mode, and leaves its data alone', () => {
    const budget = { steps: 20_000 };
    fc.assert(
      fc.property(expression, data, (text, variables) => {
        const parsed = parseFeel(text);
        if (!parsed.ok) return;
        const before = JSON.stringify(variables);
        const compiled = compile(JSON.parse(JSON.stringify(parsed.tree)) as typeof parsed.tree);
        for (const mode of ['strict', 'lenient'] as const) {
          const [first, second] = [1, 2].map(() => evaluate(compiled, variables, { now: NOON, mode, budget }));
          expect(outcome(first)).toEqual(outcome(second));
          expect(outcome(first)).not.toMatchObject({ error: { code: 'INTERNAL' } });
        }
        expect(JSON.stringify(variables)).toBe(before);
      }),
      { numRuns: scaled(250) },
    );
    expect(touched).toEqual([]);
  });

  test('that is true or false strictly is so leniently', () => {
    fc.assert(
      fc.property(expression, data, (text, variables) => {
        const parsed = parseFeel(text);
        if (!parsed.ok) return;
        const compiled = compile(parsed.tree);
        const strict = evaluate(compiled, variables, { now: NOON, mode: 'strict', budget: { steps: 20_000 } });
        if (!strict.ok) return;
        const lenient = evaluate(compiled, variables, { now: NOON, mode: 'lenient', budget: { steps: 20_000 } });
        expect(outcome(lenient)).toEqual(outcome(strict));
      }),
      { numRuns: scaled(200) },
    );
  });

  test('reads neither the clock nor randomness', () => {
    const clock = vi.spyOn(Date, 'now');
    const chance = vi.spyOn(Math, 'random');
    const parsed = parseFeel(
      '[now(), today(), string(now()), sort([3, 1, 2], function(a, b) a < b), matches("aab", "a+b"), 1 / 3]',
    );
    if (parsed.ok) evaluate(compile(parsed.tree), {}, { now: NOON, mode: 'strict' });
    expect(clock).not.toHaveBeenCalled();
    expect(chance).not.toHaveBeenCalled();
    clock.mockRestore();
    chance.mockRestore();
  });
});

function outcome(result: ReturnType<typeof evaluate> | undefined): unknown {
  if (result === undefined) return undefined;
  return result.ok ? { value: JSON.stringify(toJson(result.value)) } : { error: result.error };
}

describe('any text', () => {
  test('is parsed or refused, never a crash', () => {
    const tokens = fc.constantFrom(
      'for',
      'in',
      'return',
      'if',
      'then',
      'else',
      'some',
      'satisfies',
      'function',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ':',
      ',',
      '.',
      '..',
      '+',
      '-',
      '*',
      '**',
      '/',
      '=',
      '!=',
      '<',
      '"a"',
      '"',
      '@"P1D"',
      '1',
      '1.5',
      'a',
      'b c',
      '?',
      'not',
      'and',
      'or',
      'between',
      'instance of',
      'date',
      'list<',
      '\n',
      '//',
      '/*',
      '*/',
      '`',
      '#',
      'é',
      '𝒳',
      'external',
      'null',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(tokens, { maxLength: 25 }).map((parts) => parts.join(' ')),
        ),
        fc.constantFrom('expression', 'unary-tests'),
        fc.array(fc.string(), { maxLength: 3 }),
        (text, kind, names) => {
          const parsed = parseFeel(text, { kind, names });
          if (!parsed.ok) {
            const [error] = parsed.errors;
            expect(error).toMatchObject({ code: 'SYNTAX', line: expect.any(Number), column: expect.any(Number) });
            return;
          }
          const result = evaluate(
            compile(parsed.tree),
            { '?': 1 },
            { now: NOON, mode: 'lenient', budget: { steps: 10_000 } },
          );
          expect(outcome(result)).not.toMatchObject({ error: { code: 'INTERNAL' } });
        },
      ),
      { numRuns: scaled(250) },
    );
  });
});
