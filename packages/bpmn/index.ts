/** Compiles a BPMN file without blocking the event loop: a large file takes seconds. */
import { existsSync } from 'node:fs';
import { compile, refusedResource, type CompiledResource } from './compile/compile.js';
import { ThreadPool, ThreadTimeout } from '../lib/thread-pool.js';

export type { CompiledProcess, CompiledResource } from './compile/compile.js';
export type { Diagnostic } from './check/diagnostics.js';

const THREADS = { size: 2, timeoutMs: 10_000, heapMB: 512 };

const THREAD_FILE = new URL('./compile-thread.js', import.meta.url);
const threads = new ThreadPool<string, CompiledResource>(THREAD_FILE, THREADS);
/** Threads only run JavaScript: in unbuilt sources, as in tests, compilation runs in the calling thread. */
const isBuilt = existsSync(THREAD_FILE);

/** Compiles a BPMN file in a thread; see `compile`. A file that takes too much time or memory is rejected. */
export async function compileResource(xml: string): Promise<CompiledResource> {
  if (!isBuilt) return compile(xml);
  try {
    return await threads.run(xml);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return refusedResource({
      reason: 'TOO_LARGE',
      message: `Compilation exceeded its limit (${THREADS.timeoutMs / 1000} s, ${THREADS.heapMB} MB). Split the model or move parts into called processes.`,
    });
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ThreadTimeout ||
    (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
  );
}
