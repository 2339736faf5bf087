/** Converts a file without blocking the event loop: a large file takes seconds. */
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';
import { tryToConvert, type Attempt } from './convert.js';

const THREADS = {
  name: 'convert',
  size: 2,
  timeoutMs: 2_000,
  heapMB: 256,
  bytesOf: (xml: string) => 2 * xml.length,
};

const convert = inThreads(new URL('./convert-thread.js', import.meta.url), THREADS, async (xml: string) =>
  tryToConvert(xml),
);

/**
 * Like `tryToConvert`, in a thread. A file that takes too much time or memory is unreadable.
 * @param turns where the file waits for its turn
 * @throws TurnRefused, TurnCanceled
 */
export async function convertInThread(xml: string, turns?: Turns): Promise<Attempt> {
  return (
    (await convert(xml, turns)) ?? {
      unreadable: `Converting the file exceeded its limit (${THREADS.timeoutMs / 1000} s).`,
    }
  );
}
