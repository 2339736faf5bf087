/** Worker threads that evaluate predicates, so that a search never blocks the event loop. */
import { availableParallelism } from 'node:os';
import { inThreads, type InThread } from '@perdure/lib/in-threads.js';
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
const THREADS = {
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
