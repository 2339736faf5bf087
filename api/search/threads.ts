/** Threads that evaluate predicates, so that a search never holds the event loop. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ThreadPool, ThreadTimeout } from '../../bpmn/thread-pool.js';
import { evaluateBatch, type EvaluationResult, type EvaluationWork } from './evaluation.js';

/**
 * Searches at work at once, each with one thread, one connection and, in Postgres, one core. On a small machine, where Postgres may
 * be the neighbour, a core stays free for everybody else.
 */
export const SEARCHES_AT_WORK = Math.min(2, Math.max(1, availableParallelism() - 1));

/** A thread looks at the clock after every instance; one that does not answer for this long is stuck in a single one. */
const THREADS = { size: SEARCHES_AT_WORK, timeoutMs: 5_000, heapMB: 256 };
const THREAD_FILE = new URL('./evaluation-thread.js', import.meta.url);
const threads = new ThreadPool<EvaluationWork, EvaluationResult>(THREAD_FILE, THREADS);
/** Threads run JavaScript only: sources that were not built, as in tests, work where they are. */
const isBuilt = existsSync(THREAD_FILE);

/** Undefined when the work takes too much time or memory; the next work finds another thread. */
export type Evaluate = (work: EvaluationWork) => Promise<EvaluationResult | undefined>;

export const evaluateInThread: Evaluate = (work) => (isBuilt ? evaluateIn(threads, work) : Promise.resolve(evaluateBatch(work)));

export async function evaluateIn(pool: ThreadPool<EvaluationWork, EvaluationResult>, work: EvaluationWork): Promise<EvaluationResult | undefined> {
  try {
    return await pool.run(work);
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ThreadTimeout || (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
}
