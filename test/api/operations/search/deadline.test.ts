import { expect, test } from 'vitest';
import { deploy, idsOf, seed, useSearch } from './support/search.js';

const { store, search, searchAll } = useSearch({ deadlineMilliseconds: 0 });

test('a page that meets its deadline says so, and its cursor continues without a gap', async () => {
  const { definitionID } = await deploy(store);
  await seed(store, definitionID, 300);
  const first = (await search({ definitionID, predicate: 'modulo(n, 50) = 0' })).body;
  expect(first).toMatchObject({ deadlineHit: true, exhausted: false, nextCursor: expect.any(String) });
  expect(first.scanned).toBeGreaterThan(0);

  const pages = await searchAll({ definitionID, predicate: 'modulo(n, 50) = 0' });
  expect(new Set(idsOf(pages)).size).toBe(6);
  expect(pages.reduce((sum, { scanned }) => sum + scanned, 0)).toBe(300);
  expect(pages.at(-1)).toMatchObject({ exhausted: true, nextCursor: null, deadlineHit: false });
});
