import { expect, test } from 'vitest';
import { differenceOf, digestOf } from '@perdure/engine/state/facts-digest.js';
import type { Fact } from '@perdure/engine/contract/facts.js';

const facts = (count: number): Fact[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'ELEMENT_ACTIVATED',
    element: index + 1,
    node: `node${index}`,
    scope: 0,
  }));
const changed = (count: number, at: number): Fact[] =>
  facts(count).map((fact, index) => (index === at ? ({ ...fact, node: 'another' } as Fact) : fact));

test('the same facts have no difference, also after they were stored', () => {
  const odd: Fact[] = [
    {
      kind: 'VARIABLES_SET',
      scope: 1,
      variables: { minus: -0, lone: '\ud800', nul: '\u0000', deep: [[{}]], '': null },
    },
  ];
  for (const some of [[], odd, facts(1), facts(300), facts(45_000)])
    expect(differenceOf(digestOf(some), JSON.parse(JSON.stringify(some)) as Fact[])).toBeUndefined();
});

test('the order in which a build writes members means nothing', () => {
  const [fact] = facts(1);
  expect(
    differenceOf(digestOf([fact!]), [Object.fromEntries(Object.entries(fact!).toReversed()) as unknown as Fact]),
  ).toBeUndefined();
});

test('the first fact that differs is named by its number and kind', () => {
  expect(differenceOf(digestOf(facts(200)), changed(200, 117))).toBe(
    '200 facts were written, but 200 were computed; the first difference is fact 118 (ELEMENT_ACTIVATED)',
  );
});

test('names the range in which very many facts first differ', () => {
  expect(differenceOf(digestOf(facts(1024)), changed(1024, 513))).toContain('among facts 513 to 516');
});

test('a fact more or less is a difference', () => {
  expect(differenceOf(digestOf(facts(4)), facts(3))).toBe(
    '4 facts were written, but 3 were computed; the first difference is fact 4 (nothing was computed)',
  );
  expect(differenceOf(digestOf(facts(3)), facts(4))).toContain('fact 4 (ELEMENT_ACTIVATED)');
  expect(differenceOf(digestOf(facts(256)), facts(257))).toContain('fact 257');
  expect(differenceOf(digestOf([]), facts(1))).toContain('fact 1');
});

test('a digest stays small however many facts there are', () => {
  expect(digestOf(facts(45_000)).length).toBeLessThan(1100);
});

test('every change of one fact among many is seen', () => {
  const digest = digestOf(facts(64));
  for (let at = 0; at < 64; at += 1) expect(differenceOf(digest, changed(64, at))).toContain(`fact ${at + 1} `);
});

test('a digest of a form that this build does not know compares with nothing', () => {
  expect(differenceOf('v2:whatever', facts(1))).toBeUndefined();
});

test('values nested deeper than a stack of calls reaches have a digest', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 2_000; depth += 1) deep = [deep];
  const some = [{ kind: 'VARIABLES_SET', scope: 1, variables: { deep } }] as unknown as Fact[];
  expect(differenceOf(digestOf(some), some)).toBeUndefined();
});
