/** Worker threads that process DMN files. */
import { existsSync } from 'node:fs';
import { ThreadPool, ThreadTimeout } from '../lib/thread-pool.js';
import { CallerTurns } from '../lib/caller-turns.js';
import { perform, type Work, type WorkDone } from './work.js';

const THREADS = { size: 2, timeoutMs: 15_000, heapMB: 512 };
const THREAD_FILE = new URL('./work-thread.js', import.meta.url);
const threads = new ThreadPool<Work, WorkDone>(THREAD_FILE, THREADS);
/** Worker threads run JavaScript only. Unbuilt sources, as in tests, do the work on the event loop. */
const isBuilt = existsSync(THREAD_FILE);

/** Unsaved designs of one caller use one thread at a time, so another caller finds a free one. */
export const evaluationTurns = new CallerTurns();

/** Processes a DMN file in a worker thread. Refuses work that exceeds the time or memory limit. */
export async function inThread(work: Work): Promise<WorkDone> {
  if (!isBuilt) return perform(work);
  try {
    return await threads.run(work);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const message = `Processing the file exceeded its limit (${THREADS.timeoutMs / 1000} s, ${THREADS.heapMB} MB). Make the file smaller.`;
    return { problems: [{ severity: 'error', message }], refused: 'TOO_LARGE' };
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ThreadTimeout ||
    (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
  );
}
