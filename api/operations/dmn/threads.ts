/** Threads for work on DMN texts. */
import { existsSync } from 'node:fs';
import { ThreadPool, ThreadTimeout } from '../../../bpmn/thread-pool.js';
import { CallerTurns } from './caller-turns.js';
import { perform, type Work, type WorkDone } from './work.js';

const THREADS = { size: 2, timeoutMs: 15_000, heapMB: 512 };
const THREAD_FILE = new URL('./work-thread.js', import.meta.url);
const threads = new ThreadPool<Work, WorkDone>(THREAD_FILE, THREADS);
/** Threads run JavaScript only: sources that were not built, as in tests, work where they are. */
const isBuilt = existsSync(THREAD_FILE);

/** Designs of one caller take one thread: those of another find the next one free. */
export const evaluationTurns = new CallerTurns();

/** Does work on a DMN text in a thread. What takes too long or too much memory is refused. */
export async function inThread(work: Work): Promise<WorkDone> {
  if (!isBuilt) return perform(work);
  try {
    return await threads.run(work);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const message = `The file takes more than ${THREADS.timeoutMs / 1000} seconds or ${THREADS.heapMB} MB of memory; make it smaller`;
    return { problems: [{ severity: 'error', message }], refused: 'TOO_LARGE' };
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ThreadTimeout || (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
}
