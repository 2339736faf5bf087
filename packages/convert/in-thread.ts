/** Converts a file without blocking the event loop: a large file takes seconds. */
import { inThreads } from '@perdure/lib/in-threads.js';
import { tryToConvert, type Attempt } from './convert.js';

const THREADS = { size: 1, timeoutMs: 10_000, heapMB: 512 };

const convert = inThreads(new URL('./convert-thread.js', import.meta.url), THREADS, async (xml: string) =>
  tryToConvert(xml),
);

/** Like `tryToConvert`, in a thread. A file that takes too much time or memory is unreadable. */
export async function convertInThread(xml: string): Promise<Attempt> {
  return (
    (await convert(xml)) ?? { unreadable: `Converting the file exceeded its limit (${THREADS.timeoutMs / 1000} s).` }
  );
}
