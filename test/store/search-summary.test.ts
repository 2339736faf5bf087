import { expect, test } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import { MAX_PREFIX, searchSummaryOf } from '../../store/sql/search-summary.js';
import { began, deploy, commitStep, start, useStore, valueOf } from './support/store.js';

const store = useStore();

const summarized = (variables: Variables) => JSON.parse(searchSummaryOf(variables)!) as unknown;

test('a search summary tells names, scalars and entries; lists are there and untold', () => {
  expect(
    summarized({ amount: 12.5, open: true, note: null, customer: { country: 'DE', tags: ['a'] }, items: [1, 2] }),
  ).toEqual({
    amount: 12.5,
    open: true,
    note: null,
    customer: { country: 'DE', tags: [] },
    items: [],
  });
});

test('a string is kept up to where it differs from every constant that predicates are compared with', () => {
  const { text } = summarized({ text: 'x'.repeat(500) }) as { text: string };
  expect(text.length).toBeGreaterThan(MAX_PREFIX);
  expect(text.length).toBeLessThan(500);
  expect(summarized({ text: 'x'.repeat(MAX_PREFIX + 1) + '\u{1F600}'.repeat(9) })).toEqual({
    text: 'x'.repeat(MAX_PREFIX + 1),
  });
});

test('values that Postgres cannot hold, very long strings, and deep values are unknown', () => {
  expect(
    summarized({
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

test('values that find no room are untold before names are; without room for all names there is no summary', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 'some text']));
  const summary = summarized(many(60)) as Record<string, unknown>;
  expect(Object.keys(summary)).toHaveLength(60);
  expect([summary['name0'], summary['name59']]).toEqual(['some text', []]);
  expect(searchSummaryOf(many(200))).toBeNull();
});

test('an instance has the search summary of its variables from its start on, and a new one with every capture', async () => {
  const { definitionID } = await deploy(store);
  const id = await start(store, { definitionID, variables: { n: 1, items: [1] } });
  const summary = () =>
    valueOf<unknown>(store, 'SELECT search_summary AS value FROM instances WHERE workflow_id = $1', [id]);
  expect(await summary()).toEqual({ n: 1, items: [] });
  await commitStep(store, id, 1, began);
  expect(await summary()).toEqual({ n: 1, items: [] });
  await commitStep(store, id, 2, [], { variables: { n: 2 } });
  expect(await summary()).toEqual({ n: 2 });
});
