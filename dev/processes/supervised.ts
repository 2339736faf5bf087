import { errorMessage } from '@perdure/lib/error-message.js';
import type { Child } from './child.js';

const firstPauseMilliseconds = 500;
const maxPauseMilliseconds = 30_000;
/** A part that ran for this long has recovered, so the pauses start from the shortest again. */
const stableMilliseconds = 60_000;

/** A part that is restarted, after a growing pause, whenever it ends unexpectedly. */
export class Supervised {
  private isStopping = false;
  private wake: () => void = () => undefined;
  private readonly watching: Promise<void>;

  private constructor(
    private readonly name: string,
    private readonly launch: () => Promise<Child>,
    private child: Child,
  ) {
    this.watching = this.watch();
  }

  /**
   * Starts the part for the first time.
   *
   * @param launch starts the part and waits until it is ready
   * @throws the error of `launch`: a part that has never run is not retried
   */
  static async start(name: string, launch: () => Promise<Child>): Promise<Supervised> {
    return new Supervised(name, launch, await launch());
  }

  /** Disables further restarts. */
  retire(): void {
    this.isStopping = true;
    this.wake();
  }

  /** Stops the part for good, and waits until it has ended. */
  async stop(): Promise<void> {
    this.retire();
    await this.child.stop();
    await this.watching;
  }

  private async watch(): Promise<void> {
    let pause = firstPauseMilliseconds;
    for (;;) {
      const startedAt = Date.now();
      const { code, signal } = await this.child.ended;
      if (this.isStopping) return;
      if (Date.now() - startedAt > stableMilliseconds) pause = firstPauseMilliseconds;
      process.stderr.write(`${this.name} ended (${signal ?? `exit code ${code}`}); restarting in ${pause / 1_000} s\n`);
      pause = await this.startAgain(pause);
      if (this.isStopping) return this.child.stop();
    }
  }

  /** @returns the pause before the next attempt, in case this one fails */
  private async startAgain(firstPause: number): Promise<number> {
    let pause = firstPause;
    for (;;) {
      await this.sleep(pause);
      pause = Math.min(pause * 2, maxPauseMilliseconds);
      if (this.isStopping) return pause;
      try {
        this.child = await this.launch();
        process.stderr.write(`${this.name} is running again\n`);
        return pause;
      } catch (error) {
        process.stderr.write(`${errorMessage(error)}; retrying in ${pause / 1_000} s\n`);
      }
    }
  }

  private sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
