import { expect, test } from 'vitest';
import { evaluateBatch, type EvaluationResult, type EvaluationWork } from '../../../../api/search/evaluation.js';
import { evaluateIn } from '../../../../api/search/threads.js';
import { ThreadPool } from '../../../../packages/lib/thread-pool.js';
import { deploy, idsOf, startAll, useSearch } from './support/search.js';

// Evaluations are bounded, so no predicate is known that does this to a thread; an instance that does must not end every search.
const { store, search } = useSearch({
  evaluate: async (work) => (work.candidates.includes('poison') ? undefined : evaluateBatch(work)),
});

test('an instance on which a thread gets stuck is counted as an error, and the search goes on behind it', async () => {
  const { definitionID } = await deploy(store);
  const [last, , first] = await startAll(store, definitionID, [{ name: 'a' }, { name: 'poison' }, { name: 'b' }]);
  const { body } = await search({ definitionID, predicate: 'name != ""' });
  expect(body).toMatchObject({ scanned: 3, evaluated: 2, predicateErrors: 1, exhausted: true });
  expect(body.firstPredicateError).toContain('too much time or memory');
  expect(idsOf([body])).toEqual([last, first]);
});

const supportThread = new URL('../../../bpmn/support/thread.mjs', import.meta.url);

function poolOf(timeoutMs: number) {
  return new ThreadPool<EvaluationWork, EvaluationResult>(supportThread, { size: 1, timeoutMs, heapMB: 64 });
}

test('a thread that does not answer is ended and gives no result; a fault of ours is no such case', async () => {
  const work = (wish: string) => wish as unknown as EvaluationWork;
  expect(await evaluateIn(poolOf(500), work('spin'))).toBeUndefined();
  await expect(evaluateIn(poolOf(60_000), work('throw'))).rejects.toThrow('the thread threw');
});
