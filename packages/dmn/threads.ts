/** Worker threads that process DMN files. */
import { inThreads } from '@perdure/lib/in-threads.js';
import { KeyedMutex } from '@perdure/lib/keyed-mutex.js';
import { perform, type Work, type WorkDone } from './work.js';

const THREADS = { size: 2, timeoutMs: 15_000, heapMB: 512 };

const performInThread = inThreads(new URL('./work-thread.js', import.meta.url), THREADS, perform);

/** Unsaved designs of one caller use one thread at a time, so another caller finds a free one. */
export const evaluationTurns = new KeyedMutex();

/** Processes a DMN file in a worker thread. Refuses work that exceeds the time or memory limit. */
export async function inThread(work: Work): Promise<WorkDone> {
  return (await performInThread(work)) ?? tooLarge;
}

const tooLarge: WorkDone = {
  problems: [
    {
      severity: 'error',
      message: `Processing the file exceeded its limit (${THREADS.timeoutMs / 1000} s, ${THREADS.heapMB} MB). Make the file smaller.`,
    },
  ],
  refused: 'TOO_LARGE',
};
