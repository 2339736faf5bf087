/** A Temporal worker that is created again whenever it stops unexpectedly. */
import type { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { pause } from '../../background/chore.js';

const PAUSE_BEFORE_RESTART_MS = 2_000;

interface KeptWorkerOptions {
  create(): Promise<Worker>;
  /** For the log. */
  readonly what: string;
  readonly logger: Logger;
}

export class KeptWorker {
  readonly #stopping = new AbortController();
  #worker: Worker | undefined;
  #kept: Promise<void> | undefined;

  constructor(private readonly options: KeptWorkerOptions) {}

  /** Keeps it running from now on. */
  start(): void {
    this.#kept ??= this.#keepRunning();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#worker?.getState() === 'RUNNING') this.#worker.shutdown();
    await this.#kept;
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        this.#worker = await this.options.create();
        const ended = this.#worker.run();
        if (signal.aborted) this.#worker.shutdown();
        await ended;
      } catch (error) {
        this.options.logger.error({ error: errorMessage(error) }, `${this.options.what} stopped; restarting`);
      }
      await pause(PAUSE_BEFORE_RESTART_MS, signal);
    }
  }
}
