/** Worker threads that process DMN files. */
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';
import { perform, sizeOfWork, type Work, type WorkDone } from './work.js';

const THREADS = { name: 'DMN', size: 2, timeoutMs: 15_000, heapMB: 512, bytesOf: sizeOfWork };

const performInThread = inThreads(new URL('./work-thread.js', import.meta.url), THREADS, perform);

/**
 * Processes a DMN file in a worker thread. Refuses work that exceeds the time or memory limit.
 * @param turns where the work waits for its turn
 * @throws TurnRefused, TurnCanceled
 */
export async function inThread(work: Work, turns?: Turns): Promise<WorkDone> {
  return (await performInThread(work, turns)) ?? tooLarge;
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
