/** Compiling a BPMN file without holding the event loop: a large one takes seconds. */
import { existsSync } from 'node:fs';
import { compile, refusedResource, type CompiledResource } from './compile.js';
import { ThreadPool, ThreadTimeout } from './thread-pool.js';

export type { CompiledProcess, CompiledResource } from './compile.js';
export type { Problem } from './problem.js';

const THREADS = { size: 2, timeoutMs: 10_000, heapMB: 512 };

const THREAD_FILE = new URL('./compile-thread.js', import.meta.url);
const threads = new ThreadPool<string, CompiledResource>(THREAD_FILE, THREADS);
/** Threads run JavaScript only: sources that were not built, as in tests, compile where they are. */
const isBuilt = existsSync(THREAD_FILE);

/** Compiles a BPMN file in a thread; see `compile`. A file that takes too long or too much memory is refused. */
export async function compileResource(xml: string): Promise<CompiledResource> {
  if (!isBuilt) return compile(xml);
  try {
    return await threads.run(xml);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return refusedResource({
      reason: 'TOO_LARGE',
      message: `Compiling the file takes more than ${THREADS.timeoutMs / 1000} seconds or ${THREADS.heapMB} MB of memory; make it smaller`,
    });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ThreadTimeout || (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
}
