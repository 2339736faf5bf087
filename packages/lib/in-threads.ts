/** Functions that run in a worker thread and give up when they take too much time or memory. */
import { existsSync } from 'node:fs';
import { ThreadPool, ThreadTimeout, type ThreadPoolOptions } from './thread-pool.js';

/** Undefined when the call takes more time or memory than its thread has. */
export type InThread<Input, Output> = (input: Input) => Promise<Output | undefined>;

/**
 * @param file the script of the threads. They run JavaScript only, so in unbuilt sources, as in tests, it does not
 * exist, and calls run in the calling thread.
 * @param here does the same work in the calling thread
 */
export function inThreads<Input, Output>(
  file: URL,
  options: ThreadPoolOptions,
  here: (input: Input) => Output,
): InThread<Input, Output> {
  if (!existsSync(file)) return async (input) => here(input);
  const threads = new ThreadPool<Input, Output>(file, options);
  return async (input) => {
    try {
      return await threads.run(input);
    } catch (error) {
      if (isTooLarge(error)) return undefined;
      throw error;
    }
  };
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ThreadTimeout ||
    (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
  );
}
