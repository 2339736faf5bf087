/** Worker threads that evaluate predicates, so that a search never blocks the event loop. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ThreadPool, ThreadTimeout } from '../../packages/lib/thread-pool.js';
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
const THREADS = { size: SEARCHES_AT_WORK, timeoutMs: 5_000, heapMB: 256 };
const THREAD_FILE = new URL('./evaluation-thread.js', import.meta.url);
const threads = new ThreadPool<EvaluationWork, EvaluationResult>(THREAD_FILE, THREADS);
/** Worker threads run JavaScript only. Unbuilt sources, as in tests, do the work on the event loop. */
const isBuilt = existsSync(THREAD_FILE);

/** Undefined when the work takes too much time or memory; the next work gets another thread. */
export type Evaluate = (work: EvaluationWork) => Promise<EvaluationResult | undefined>;

export const evaluateInThread: Evaluate = (work) =>
  isBuilt ? evaluateIn(threads, work) : Promise.resolve(evaluateBatch(work));

export async function evaluateIn(
  pool: ThreadPool<EvaluationWork, EvaluationResult>,
  work: EvaluationWork,
): Promise<EvaluationResult | undefined> {
  try {
    return await pool.run(work);
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ThreadTimeout ||
    (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
  );
}
