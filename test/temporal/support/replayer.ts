/** Replays histories with one worker, because a worker takes longer to start than a history to replay. */
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import type { History } from '@temporalio/common/lib/proto-utils.js';

interface Asked {
  history: History;
  workflowId: string;
  resolve(): void;
  reject(error: unknown): void;
}

export class Replayer {
  readonly #options: ReplayWorkerOptions;
  /** The first is being replayed. */
  readonly #asked: Asked[] = [];
  #wake: () => void = () => undefined;
  #isClosed = false;
  #running: Promise<void> | undefined;

  constructor(options: ReplayWorkerOptions) {
    this.#options = options;
  }

  /** @throws if the workflows of the bundle take another way than the history */
  async replay(history: History, workflowId: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#asked.push({ history, workflowId, resolve, reject });
      this.#running ??= this.#run();
      this.#wake();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      for await (const { error } of Worker.runReplayHistories(this.#options, this.#histories())) {
        const { resolve, reject } = this.#asked.shift()!;
        if (error) reject(error);
        else resolve();
      }
    } catch (error) {
      for (const { reject } of this.#asked.splice(0)) reject(error);
    } finally {
      this.#running = undefined;
    }
  }

  async *#histories(): AsyncGenerator<Asked> {
    while (!this.#isClosed) {
      const [next] = this.#asked;
      if (next) yield next;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
