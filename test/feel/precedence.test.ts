/** Which operator an operand belongs to, by example and against a small separate reader. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { scaled } from '../engine/random/seeds.js';
import { prefilterOf } from '../../api/search/prefilter.js';
import { compile, evaluate, toJson, type Evaluated, type NotEvaluated } from '@perdure/feel/evaluate.js';
import { parseFeel, type FeelTree, type Parsed } from '@perdure/feel/parse.js';
import { lenient, NOON, strict, treeOf } from './support.js';

/** Properties run thousands of cases, on a busy machine too. */
vi.setConfig({ testTimeout: 60_000 });

/** A tree without the places of its parts. */
function shapeOf(tree: FeelTree): unknown {
  return JSON.parse(JSON.stringify(tree.root, (key, value: unknown) => (key === 'at' ? undefined : value)));
}

describe('a test behind "in"', () => {
  const VARIABLES = {
    n: 3,
    m: 50,
    p: false,
    q: true,
    xs: [1, 2, 3],
    status: 'a',
    amount: 7,
    vip: false,
    items: [
      { state: 'a', n: 2 },
      { state: 'b', n: 3 },
    ],
  };

  test.each<[string, string, unknown]>([
    ['m in [3, 5, 7] or m = 50', '(m in ([3, 5, 7])) or (m = 50)', true],
    ['status in ["a", "b"] and amount > 5', '(status in (["a", "b"])) and (amount > 5)', true],
    ['n in (3) and q', '(n in (3)) and q', true],
    ['n in ([3]) and q', '(n in ([3])) and q', true],
    ['n in (xs) and q', '(n in (xs)) and q', true],
    ['amount in (> 5) and amount < 10', '(amount in (> 5)) and (amount < 10)', true],
    ['amount in > 5 and amount < 10', '(amount in (> 5)) and (amount < 10)', true],
    ['amount in > 5 - 1 and q', '(amount in (> (5 - 1))) and q', true],
    ['n in [1..3] and n = 3', '(n in ([1..3])) and (n = 3)', true],
    ['n in (1..3] and n = 3', '(n in ((1..3])) and (n = 3)', true],
    ['n in ]1..3] and n = 3', '(n in (]1..3])) and (n = 3)', true],
    ['p in true and q', '(p in (true)) and q', false],
    ['p and n in [3] or q', '(p and (n in ([3]))) or q', true],
    ['n in 3 = true', '(n in (3)) = true', true],
    ['n in [3] in [true]', '(n in ([3])) in ([true])', true],
    ['n in 1 + 2 and q', '(n in (1 + 2)) and q', true],
    ['n in (1 + 2) * 1 and q', '(n in ((1 + 2) * 1)) and q', true],
    ['n in (3, 5) and q', '(n in (3, 5)) and q', true],
    ['n in xs between false and true', '(n in (xs)) between false and true', undefined],
    ['n between 1 and 3 in [true]', '(n between 1 and 3) in ([true])', true],
    ['if amount in [1..10] or vip then 1 else 2', 'if (amount in ([1..10])) or vip then 1 else 2', 1],
    ['items[state in ["a"] and n > 1].n', 'items[(state in (["a"])) and (n > 1)].n', [2]],
    ['some x in xs satisfies x in [2] and q', 'some x in xs satisfies (x in ([2])) and q', true],
    ['for x in xs return x in [2] or p', 'for x in xs return ((x in ([2])) or p)', [false, true, false]],
  ])('%s is read as %s', (text, explicit, expected) => {
    expect(shapeOf(treeOf(text))).toEqual(shapeOf(treeOf(explicit)));
    if (expected === undefined) return;
    expect(strict(text, VARIABLES)).toEqual(expected);
    expect(lenient(text, VARIABLES)).toEqual(expected);
  });

  test.each<[string, string]>([
    ['[1..3] or ? = 50', '([1..3]) or (? = 50)'],
    ['? in [1..3] and p', '(? in ([1..3])) and p'],
    ['> 5 and p', '(> 5) and p'],
    ['not(? in [1] or p)', 'not((? in ([1])) or p)'],
    ['< 5, ? in [7] or p', '< 5, (? in ([7])) or p'],
  ])('the cell %s is read as %s', (cell, explicit) => {
    expect(shapeOf(treeOf(cell, [], 'unary-tests'))).toEqual(shapeOf(treeOf(explicit, [], 'unary-tests')));
  });
});

/** An operator of a chain: what is written before its right operand, and its level; `isPostfix` where it has no right operand. */
interface Operator {
  text: string;
  level: number;
  isPostfix?: boolean;
}

const OPERATORS: readonly Operator[] = [
  { text: 'or', level: 1 },
  { text: 'and', level: 2 },
  ...['=', '!=', '<', '<=', '>', '>=', 'in', 'in >', 'in <=', 'between 1 and', 'between a + 1 and'].map((text) => ({
    text,
    level: 3,
  })),
  ...['in (3, 5)', 'in (> 5, [1..3], ? = 4)'].map((text) => ({ text, level: 3, isPostfix: true })),
  { text: '+', level: 4 },
  { text: '-', level: 4 },
  { text: '*', level: 5 },
  { text: '/', level: 5 },
  { text: '**', level: 6 },
  { text: 'instance of number', level: 8, isPostfix: true },
];
const ATOMS = [
  'n',
  'a',
  'p',
  'q',
  's',
  'xs',
  '-2',
  '7',
  '"open"',
  'true',
  'null',
  '[3, 5]',
  '[1..3]',
  '(1..3)',
  ']1..9[',
  '(n)',
  '(> 5)',
  '(p or q)',
  'xs[1]',
  'c.due',
  'abs(n)',
  'order.instance',
  'order.in',
  '[n..a + 1[',
];

type Chain = (string | Operator)[];

/** Parentheses around every operation: the chain is divided at its last operator of the lowest level. */
function parenthesize(chain: Chain): string {
  const operators = chain.filter((part) => typeof part !== 'string');
  if (operators.length === 0) return chain[0] as string;
  const lowest = Math.min(...operators.map(({ level }) => level));
  const index = chain.findLastIndex((part) => typeof part !== 'string' && part.level === lowest);
  const { text, isPostfix } = chain[index] as Operator;
  const left = parenthesize(chain.slice(0, index));
  if (isPostfix === true) return `((${left}) ${text})`;
  const right = parenthesize(chain.slice(index + 1));
  // "in > x" has its parentheses around the whole test.
  return text.startsWith('in ') ? `((${left}) in (${text.slice(3)} (${right})))` : `((${left}) ${text} (${right}))`;
}

/** Whether no operator without a right operand is followed by one that would need it, and no `[` by what begins a filter. */
function isReadable(chain: Chain): boolean {
  return chain.every((part, index) => {
    const next = chain[index + 1];
    if (typeof next !== 'object') return true;
    return typeof part === 'string'
      ? !part.endsWith('[') || next.text !== '-'
      : part.isPostfix !== true || next.level <= part.level;
  });
}

const operation = fc
  .constantFrom(...OPERATORS)
  .chain((operator): fc.Arbitrary<Chain> =>
    operator.isPostfix === true ? fc.constant([operator]) : fc.constantFrom(...ATOMS).map((atom) => [operator, atom]),
  );
const chain = fc
  .tuple(fc.constantFrom(...ATOMS), fc.array(operation, { minLength: 1, maxLength: 7 }))
  .map(([first, rest]): Chain => [first, ...rest.flat()])
  .filter(isReadable);

const VARIABLES = {
  n: 3,
  a: 4,
  p: true,
  q: false,
  s: 'open',
  xs: [3, 4],
  c: { due: 5 },
  order: { instance: 6, in: 7 },
  '?': 3,
};
const NAMES = Object.keys(VARIABLES);

function written(parts: Chain): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join(' ');
}

function parsed(text: string, kind: 'expression' | 'unary-tests'): Parsed {
  const result = parseFeel(text, { kind });
  if (!result.ok) throw new Error(`${text}: ${result.errors[0]!.message}`);
  return result;
}

function outcome(result: Evaluated | NotEvaluated): unknown {
  return result.ok ? { value: JSON.stringify(toJson(result.value)) } : { error: result.error };
}

describe('a chain of operators', () => {
  const kind = fc.constantFrom<'expression' | 'unary-tests'>('expression', 'unary-tests');

  test('is read as if the precedence of DMN were written with parentheses', () => {
    fc.assert(
      fc.property(chain, kind, (parts, of) => {
        const [plain, explicit] = [parsed(written(parts), of), parsed(parenthesize(parts), of)];
        expect(shapeOf(plain.tree), parenthesize(parts)).toEqual(shapeOf(explicit.tree));
        expect([plain.freeVariables, plain.paths]).toEqual([explicit.freeVariables, explicit.paths]);
        expect(prefilterOf(plain.tree.root, plain.freeVariables)).toEqual(
          prefilterOf(explicit.tree.root, explicit.freeVariables),
        );
      }),
      { numRuns: scaled(600) },
    );
  });

  test('gives the same result strictly and leniently, fresh and stored, and reads no undeclared name', () => {
    fc.assert(
      fc.property(chain, kind, (parts, of) => {
        const { tree, freeVariables, possibleVariables } = parsed(written(parts), of);
        const announced = ['?', ...freeVariables, ...possibleVariables];
        const only = Object.fromEntries(Object.entries(VARIABLES).filter(([name]) => announced.includes(name)));
        const stored = compile(JSON.parse(JSON.stringify(tree)) as FeelTree);
        const [strictly, leniently] = (['strict', 'lenient'] as const).map((mode) =>
          evaluate(compile(tree), VARIABLES, { now: NOON, mode }),
        ) as [Evaluated | NotEvaluated, Evaluated];
        expect(outcome(evaluate(stored, VARIABLES, { now: NOON, mode: 'strict' }))).toEqual(outcome(strictly));
        expect(outcome(evaluate(stored, only, { now: NOON, mode: 'strict' }))).toEqual(outcome(strictly));
        expect(outcome(evaluate(stored, VARIABLES, { now: NOON, mode: 'lenient' }))).toEqual(outcome(leniently));
        if (strictly.ok) {
          expect(outcome(leniently)).toEqual(outcome(strictly));
          expect(leniently.diagnostics).toBeUndefined();
        } else {
          expect(strictly.error.code).not.toBe('INTERNAL');
          expect(leniently.diagnostics?.length).toBeGreaterThan(0);
        }
        expect(announced.every((name) => NAMES.includes(name))).toBe(true);
      }),
      { numRuns: scaled(600) },
    );
  });
});
