/** Trees of earlier versions and what compiling a tree costs. */
import { expect, test } from 'vitest';
import { nodeCounter } from '@perdure/feel/compile/compiler.js';
import { compile, evaluate } from '@perdure/feel/evaluate.js';
import { TREE_VERSION, type Node, type StoredTree } from '@perdure/feel/tree.js';
import { upgradeTree, type Upgrades } from '@perdure/feel/upgrade.js';
import { NOON, treeOf } from './support.js';

test('a tree of an earlier version is upgraded step by step, and stays as it is', () => {
  const { root } = treeOf('1 + 1');
  const earliest: StoredTree = { version: TREE_VERSION - 2, kind: 'expression', root: { expression: root } as never };
  const before = JSON.stringify(earliest);
  const upgrades: Upgrades = {
    [TREE_VERSION - 2]: (tree) => ({ ...tree, version: TREE_VERSION - 1, root: [tree.root] as never }),
    [TREE_VERSION - 1]: (tree) => ({
      ...tree,
      version: TREE_VERSION,
      root: (tree.root as unknown as [{ expression: Node }])[0].expression,
    }),
  };
  const upgraded = upgradeTree(earliest, upgrades);
  expect(upgraded).toEqual({ version: TREE_VERSION, kind: 'expression', root });
  expect(JSON.stringify(earliest)).toBe(before);
  expect(evaluate(compile(upgraded), {}, { now: NOON, mode: 'strict' })).toMatchObject({ ok: true, value: 2 });
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

test('a name costs more steps the more cells and filters it is searched for in', () => {
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
