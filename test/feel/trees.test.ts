/** Trees of earlier versions and what compiling a tree costs. */
import { expect, test } from 'vitest';
import { nodeCounter } from '@perdure/feel/compile/compiler.js';
import { compile, evaluate } from '@perdure/feel/evaluate.js';
import { TREE_VERSION, type Node, type StoredTree } from '@perdure/feel/tree.js';
import { upgradeTree } from '@perdure/feel/upgrade.js';
import { NOON, treeOf } from './support.js';

/** `n in [3, 5, 7] or n = 50` as version 1 read it: the test goes to the end. */
const VERSION_1: StoredTree = {
  version: 1,
  kind: 'expression',
  root: {
    kind: 'in',
    value: { kind: 'name', name: 'n', at: [0, 1] },
    tests: [
      {
        kind: 'test',
        usesInput: false,
        expression: {
          kind: 'or',
          left: {
            kind: 'list',
            items: [3, 5, 7].map((value) => ({ kind: 'literal', value, at: [6, 7] })),
            at: [5, 14],
          },
          right: {
            kind: 'comparison',
            operator: '=',
            left: { kind: 'name', name: 'n', at: [18, 19] },
            right: { kind: 'literal', value: 50, at: [22, 24] },
            at: [18, 24],
          },
          at: [5, 24],
        },
        at: [5, 24],
      },
    ],
    at: [0, 24],
  },
};

test('a tree of every version that was ever written is compiled and keeps its meaning', () => {
  const before = JSON.stringify(VERSION_1);
  expect(evaluate(compile(VERSION_1), { n: 50 }, { now: NOON, mode: 'strict' })).toMatchObject({
    ok: false,
    error: { code: 'TYPE_MISMATCH', from: 5, to: 14 },
  });
  expect(JSON.stringify(VERSION_1)).toBe(before);
  const { root } = treeOf('1 + 1');
  for (let version = 1; version <= TREE_VERSION; version++) {
    expect(upgradeTree({ version, kind: 'expression', root })).toEqual({
      version: TREE_VERSION,
      kind: 'expression',
      root,
    });
    expect(evaluate(compile({ version, kind: 'expression', root }), {}, { now: NOON, mode: 'strict' })).toMatchObject({
      ok: true,
      value: 2,
    });
  }
});

test('counting the nodes of nested parts looks at each of them once', () => {
  let reads = 0;
  const levels: Node[] = [{ kind: 'literal', value: 1, at: [0, 1] }];
  for (let level = 0; level < 300; level++) {
    const operand = levels.at(-1) as Node;
    levels.push({
      kind: 'negation',
      get operand() {
        reads += 1;
        return operand;
      },
      at: [0, 1],
    });
  }
  const count = nodeCounter();
  expect(levels.map(count)).toEqual(levels.map((_node, index) => index + 1));
  for (const level of [...levels].reverse()) count(level);
  expect(reads).toBe(300);
});

test('a name costs more steps the more cells and filters it is looked for in', () => {
  const count = nodeCounter();
  const name = (where: object): Node => ({ kind: 'name', name: 'a', at: [0, 1], ...where });
  expect(
    [
      {},
      { cell: 31 },
      { cell: 320 },
      { items: [0, 1, 2] },
      { items: Array.from({ length: 80 }, (_, index) => index) },
    ].map((where) => count(name(where))),
  ).toEqual([1, 1, 11, 1, 11]);
  const filters = treeOf(`${'xs['.repeat(100)}a > 1${']'.repeat(100)}`).root;
  let innermost: Node = filters;
  while (innermost.kind === 'filter') innermost = innermost.condition;
  expect(count(innermost)).toBe(3 + 12);
});

test('a name inside of many filters is taken from the innermost item that has it', () => {
  const nest = (names: string[], leaf: string): string => names.reduceRight((inner, each) => `${each}[${inner}]`, leaf);
  const variables = { outer: [{ a: 1, b: 1 }], middle: [{ c: 0 }], inner: [{ b: 2 }], d: 4 };
  const result = evaluate(
    compile(treeOf(nest(['outer', 'middle', 'inner'], 'a = 1 and b = 2 and c = 0 and d = 4'))),
    variables,
    { now: NOON, mode: 'lenient' },
  );
  expect(result).toMatchObject({ ok: true, value: [] });
  expect(
    evaluate(
      compile(treeOf('count(outer[count(middle[count(inner[a = 1 and b = 2 and c = 0 and d = 4]) = 1]) = 1])')),
      variables,
      { now: NOON, mode: 'strict' },
    ),
  ).toMatchObject({ ok: true, value: 1 });
});

test('an end of a range is evaluated once for each test', () => {
  const calls: string[] = [];
  const variables = { has: () => true, get: (name: string) => (calls.push(name), 'x') };
  evaluate(compile(treeOf('1 in [low..high]')), variables, { now: NOON, mode: 'lenient' });
  expect(calls).toEqual(['low', 'high']);
});
