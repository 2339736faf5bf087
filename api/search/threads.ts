/** Worker threads that evaluate predicates, so that a search never blocks the event loop. */
import { availableParallelism } from 'node:os';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads, type InThread } from '@perdure/lib/in-threads.js';
import { checkPredicate, type BadPredicate, type CheckedPredicate } from './predicate.js';
import { evaluateBatch, type EvaluationResult, type EvaluationWork } from './evaluation.js';

/**
 * Concurrent searches, each with one thread, one connection, and one core in Postgres. On a small machine that also
 * runs Postgres, one core stays free for other requests.
 */
export const SEARCHES_AT_WORK = Math.min(2, Math.max(1, availableParallelism() - 1));

/**
 * A thread checks the clock after every instance; one that does not respond for this long is stuck in a single
 * instance.
 */
export const THREADS = {
  name: 'evaluate predicates',
  size: SEARCHES_AT_WORK,
  timeoutMs: 5_000,
  heapMB: 256,
  bytesOf: ({ candidates }: EvaluationWork) => candidates.length,
};

/** No result when the work takes too much time or memory; the next work gets another thread. */
export type Evaluate = InThread<EvaluationWork, EvaluationResult>;

export const evaluateInThread: Evaluate = inThreads(
  new URL('./evaluation-thread.js', import.meta.url),
  THREADS,
  evaluateBatch,
);

/** Characters. Parsing more takes tens of milliseconds. */
const MAX_LENGTH_ON_LOOP = 2_000;

const CHECK = {
  name: 'check predicates',
  isShort: true,
  size: 1,
  timeoutMs: 1_000,
  heapMB: 128,
  bytesOf: (text: string) => 2 * text.length,
};

const checkInThread = inThreads(new URL('./predicate-thread.js', import.meta.url), CHECK, checkPredicate);

/**
 * Checks a predicate, a long one in a thread.
 * @throws TurnRefused, TurnCanceled
 */
export async function checkInTurn(text: string, turns: Turns): Promise<CheckedPredicate | BadPredicate> {
  if (text.length <= MAX_LENGTH_ON_LOOP) return checkPredicate(text);
  const message = 'Reading the predicate takes too much time or memory';
  return (await checkInThread(text, turns)) ?? { ok: false, problems: [{ line: 1, column: 1, message }] };
}
