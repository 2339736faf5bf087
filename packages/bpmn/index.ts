/** Compiles a BPMN file without blocking the event loop: a large file takes seconds. */
import { compile, refusedResource, type CompiledResource } from './compile/compile.js';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';

export type { CompiledProcess, CompiledResource } from './compile/compile.js';
export type { Diagnostic } from '@perdure/lib/model-files/diagnostics.js';

const THREADS = {
  name: 'compile BPMN',
  size: 2,
  timeoutMs: 10_000,
  heapMB: 512,
  bytesOf: (xml: string) => 2 * xml.length,
};

const compileInThread = inThreads(new URL('./compile-thread.js', import.meta.url), THREADS, compile);

/**
 * Compiles a BPMN file in a thread; see `compile`. A file that takes too much time or memory is rejected.
 * @param turns where the file waits for its turn
 * @throws TurnRefused, TurnCanceled
 */
export async function compileResource(xml: string, turns?: Turns): Promise<CompiledResource> {
  return (await compileInThread(xml, turns)) ?? refusedResource(tooLarge);
}

const tooLarge = {
  reason: 'TOO_LARGE',
  message: `Compilation exceeded its limit (${THREADS.timeoutMs / 1000} s, ${THREADS.heapMB} MB). Split the model or move parts into called processes.`,
} as const;
