import { expect, test } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import { MAX_PREFIX, searchSummaryOf } from '../../store/sql/search-summary.js';
import { began, deploy, commitStep, start, useStore, valueOf } from './support/store.js';

const store = useStore();

const outlined = (variables: Variables) => JSON.parse(searchSummaryOf(variables)!) as unknown;

test('an outline tells names, scalars and entries; lists are there and untold', () => {
  expect(
    outlined({ amount: 12.5, open: true, note: null, customer: { country: 'DE', tags: ['a'] }, items: [1, 2] }),
  ).toEqual({
    amount: 12.5,
    open: true,
    note: null,
    customer: { country: 'DE', tags: [] },
    items: [],
  });
});

test('a string is told up to where it differs from every constant that predicates are screened for', () => {
  const { text } = outlined({ text: 'x'.repeat(500) }) as { text: string };
  expect(text.length).toBeGreaterThan(MAX_PREFIX);
  expect(text.length).toBeLessThan(500);
  expect(outlined({ text: 'x'.repeat(MAX_PREFIX + 1) + '\u{1F600}'.repeat(9) })).toEqual({
    text: 'x'.repeat(MAX_PREFIX + 1),
  });
});

test('what Postgres cannot hold, very long strings and what lies deep are untold', () => {
  expect(
    outlined({
      a: 'nul\0',
      b: 'lone\ud800',
      c: 'x'.repeat(2000),
      d: { 'nul\0': 1 },
      e: { f: { g: { h: { i: { j: 1 } } } } },
    }),
  ).toEqual({
    a: [],
    b: [],
    c: [],
    d: [],
    e: { f: { g: { h: { i: [] } } } },
  });
  expect(searchSummaryOf({ 'nul\0': 1 })).toBeNull();
});

test('values that find no room are untold before names are; without room for all names there is no outline', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 'some text']));
  const outline = outlined(many(60)) as Record<string, unknown>;
  expect(Object.keys(outline)).toHaveLength(60);
  expect([outline['name0'], outline['name59']]).toEqual(['some text', []]);
  expect(searchSummaryOf(many(200))).toBeNull();
});

test('an instance has the outline of its variables from its start on, and a new one with every capture', async () => {
  const { definitionID } = await deploy(store);
  const id = await start(store, { definitionID, variables: { n: 1, items: [1] } });
  const outline = () => valueOf<unknown>(store, 'SELECT outline AS value FROM instances WHERE workflow_id = $1', [id]);
  expect(await outline()).toEqual({ n: 1, items: [] });
  await commitStep(store, id, 1, began);
  expect(await outline()).toEqual({ n: 1, items: [] });
  await commitStep(store, id, 2, [], { variables: { n: 2 } });
  expect(await outline()).toEqual({ n: 2 });
});
