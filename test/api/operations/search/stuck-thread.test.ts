import { expect, test } from 'vitest';
import { evaluateBatch } from '../../../../api/search/evaluation.js';
import { deploy, idsOf, startAll, useSearch } from './support/search.js';

// Evaluations are bounded, so no predicate is known that does this to a thread; an instance that does must not end every search.
const { store, search } = useSearch({
  evaluate: async (work) => (work.candidates.includes('poison') ? undefined : evaluateBatch(work)),
});

test('an instance on which a thread gets stuck is counted as an error, and the search continues after it', async () => {
  const { definitionID } = await deploy(store);
  const [last, , first] = await startAll(store, definitionID, [{ name: 'a' }, { name: 'poison' }, { name: 'b' }]);
  const { body } = await search({ definitionID, predicate: 'name != ""' });
  expect(body).toMatchObject({ scanned: 3, evaluated: 2, predicateErrors: 1, exhausted: true });
  expect(body.firstPredicateError).toContain('too much time or memory');
  expect(idsOf([body])).toEqual([last, first]);
});
