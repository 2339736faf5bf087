/** Functions that run in a worker thread and give up when they take too much time or memory. */
import { existsSync } from 'node:fs';
import type { TurnKind, Turns } from './fair-turns.js';
import { ThreadPool, ThreadTimeout, type ThreadPoolOptions } from './thread-pool.js';

/**
 * Undefined when the call takes more time or memory than its thread has.
 *
 * @param turns where the call waits for its turn; without them, it gets the next free thread
 * @throws TurnRefused, TurnCanceled
 */
export type InThread<Input, Output> = (input: Input, turns?: Turns) => Promise<Output | undefined>;

export interface InThreads<Input, Output> extends InThread<Input, Output> {
  /** Resolves once a thread is loaded, for callers that measure how long calls take. */
  ready(): Promise<void>;
}

interface InThreadsOptions<Input> extends ThreadPoolOptions {
  /** Of the kind of work; with `isShort`, for its turns. */
  readonly name: string;
  readonly isShort?: boolean;
  /** The size of what a call holds while it waits. */
  bytesOf(input: Input): number;
  /** Buffers that are moved to the thread instead of copied. */
  transfer?(input: Input): readonly ArrayBuffer[];
}

/**
 * @param file the script of the threads. They run JavaScript only, so in unbuilt sources, as in tests, it does not
 * exist, and calls run in the calling thread.
 * @param here does the same work in the calling thread
 */
export function inThreads<Input, Output>(
  file: URL,
  options: InThreadsOptions<Input>,
  here: (input: Input) => Output,
): InThreads<Input, Output> {
  const threads = existsSync(file) ? new ThreadPool<Input, Output>(file, options) : undefined;
  const run = threads ? runnerOf(threads, options) : async (input: Input) => here(input);
  const { name, size, isShort = false } = options;
  const kind: TurnKind = { name, size, isShort };
  const inThread = async (input: Input, turns?: Turns) => {
    if (turns === undefined) return run(input, undefined);
    const turn = await turns.take(kind, options.bytesOf(input));
    try {
      return await run(input, turn.signal);
    } finally {
      turn.end();
    }
  };
  return Object.assign(inThread, { ready: async () => threads?.ready() });
}

function runnerOf<Input, Output>(threads: ThreadPool<Input, Output>, options: InThreadsOptions<Input>) {
  return async (input: Input, signal: AbortSignal | undefined): Promise<Output | undefined> => {
    try {
      return await threads.run(input, { signal, transfer: options.transfer?.(input) });
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
