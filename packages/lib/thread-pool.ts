/**
 * A small thread pool for work that would block the event loop. Each thread runs one task at a time. One that exceeds
 * the time limit is terminated and replaced, so that hostile input costs a bounded time.
 */
import { Worker } from 'node:worker_threads';
import { TurnCanceled } from './fair-turns.js';

/** The task was aborted at its time limit. */
export class ThreadTimeout extends Error {
  override readonly name = 'ThreadTimeout';
}

export interface ThreadPoolOptions {
  /** Maximum number of threads, started on demand. */
  size: number;
  timeoutMs: number;
  /** Heap limit of one thread. */
  heapMB: number;
}

/**
 * How much a thread gives way to the event loops of this machine while all its cores are busy. On Linux a priority belongs
 * to a thread; elsewhere to the whole process, so it is left alone.
 */
const NICENESS = 5;

/** Loads the script of a thread, which `workerData` names, and says when it can take tasks. */
const threadStart = new URL(
  `data:text/javascript,${encodeURIComponent(`import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + ${NICENESS}));
await import(workerData);
parentPort.postMessage('ready');`)}`,
);

/**
 * The time limit elapses in this many parts, each counted when its timer fires. If the whole process is stopped
 * (frozen, moved to another machine), only one part is counted, so the task is not blamed for it.
 */
const PARTS_OF_LIMIT = 10;

interface ThreadTask {
  /** Removes the task while it waits; ends its thread while it runs. */
  readonly signal?: AbortSignal | undefined;
  /** Buffers that are moved to the thread instead of copied. */
  readonly transfer?: readonly ArrayBuffer[] | undefined;
}

interface Job<Input, Output> extends ThreadTask {
  input: Input;
  resolve(output: Output): void;
  reject(error: Error): void;
}

/** The thread must answer each message with exactly one message. */
export class ThreadPool<Input, Output> {
  readonly #file: URL;
  readonly #options: ThreadPoolOptions;
  readonly #idle: Worker[] = [];
  readonly #waiting: Job<Input, Output>[] = [];
  #threads = 0;
  #loaded: Promise<void> = Promise.resolve();

  constructor(file: URL, options: ThreadPoolOptions) {
    this.#file = file;
    this.#options = options;
  }

  /**
   * Rejects with `ThreadTimeout` after the time limit, which starts when a thread takes the task, and with
   * `TurnCanceled` when the signal of the task is aborted. A thread takes its first task after it has loaded its script,
   * which takes seconds on a busy machine and is not the fault of the task.
   */
  run(input: Input, task: ThreadTask = {}): Promise<Output> {
    return new Promise((resolve, reject) => {
      const { signal } = task;
      if (signal?.aborted) return reject(canceled());
      const job: Job<Input, Output> = { ...task, input, resolve, reject };
      signal?.addEventListener('abort', () => this.#remove(job), { once: true });
      this.#waiting.push(job);
      this.#assign();
    });
  }

  /** Starts the first thread. Resolves once the last one has loaded its script, or has failed to. */
  ready(): Promise<void> {
    if (this.#threads === 0) this.#start();
    return this.#loaded;
  }

  /** A task that runs is canceled where it runs. */
  #remove(job: Job<Input, Output>): void {
    const index = this.#waiting.indexOf(job);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    job.reject(canceled());
  }

  #assign(): void {
    if (this.#waiting.length === 0) return;
    const thread = this.#idle.pop();
    if (thread) this.#give(thread, this.#waiting.shift()!);
    else if (this.#threads < this.#options.size) this.#start();
  }

  #start(): void {
    this.#threads += 1;
    const thread = new Worker(threadStart, {
      workerData: this.#file.href,
      // Instead of the options of the process, of which a thread refuses those of V8.
      execArgv: ['--enable-source-maps'],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMB },
    });
    let loaded = () => {};
    this.#loaded = new Promise((resolve) => (loaded = resolve));
    const fail = (error: Error) => {
      loaded();
      silence(thread);
      this.#drop(thread);
      this.#waiting.shift()?.reject(error);
      this.#assign();
    };
    thread.once('message', () => {
      loaded();
      silence(thread);
      this.#rest(thread);
      this.#assign();
    });
    thread.once('error', (error) => fail(error as Error));
    thread.once('exit', (code) => fail(new Error(`The thread exited with code ${code} before it was ready`)));
  }

  #give(thread: Worker, job: Job<Input, Output>): void {
    const finish = (answer: () => void, keep: boolean) => {
      clearInterval(limit);
      job.signal?.removeEventListener('abort', cancel);
      silence(thread);
      if (keep) this.#rest(thread);
      else this.#drop(thread);
      answer();
      this.#assign();
    };
    const cancel = () => finish(() => job.reject(canceled()), false);
    job.signal?.addEventListener('abort', cancel, { once: true });
    let parts = 0;
    const limit = setInterval(() => {
      parts += 1;
      if (parts < PARTS_OF_LIMIT) return;
      finish(() => job.reject(new ThreadTimeout(`No result within ${this.#options.timeoutMs} ms`)), false);
    }, this.#options.timeoutMs / PARTS_OF_LIMIT);
    silence(thread);
    thread.ref();
    thread.on('message', (output: Output) => finish(() => job.resolve(output), true));
    thread.on('error', (error) => finish(() => job.reject(error as Error), false));
    thread.on('exit', (code) =>
      finish(() => job.reject(new Error(`The thread exited with code ${code} before it answered`)), false),
    );
    thread.postMessage(job.input, (job.transfer ?? []) as ArrayBuffer[]);
  }

  /** An idle thread does not keep the process alive. */
  #rest(thread: Worker): void {
    thread.unref();
    this.#idle.push(thread);
    thread.on('error', () => {});
    thread.on('exit', () => {
      this.#idle.splice(this.#idle.indexOf(thread), 1);
      this.#threads -= 1;
    });
  }

  #drop(thread: Worker): void {
    this.#threads -= 1;
    thread.on('error', () => {});
    void thread.terminate();
  }
}

/** By name: without one, a thread that has just begun receives no messages. */
function silence(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

function canceled(): TurnCanceled {
  return new TurnCanceled('The request has ended');
}
