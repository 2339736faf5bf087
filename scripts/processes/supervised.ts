import { describe } from '../failure.js';
import type { Child } from './child.js';

const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 30_000;
/** Having run this long, a part has recovered, and its next end starts the count of pauses again. */
const stableMilliseconds = 60_000;

/** A part that is started again, after a pause that grows, whenever it ends by itself. */
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
   * @param launch starts it and waits until it serves
   * @throws what `launch` throws: a part that has never run is not tried again
   */
  static async start(name: string, launch: () => Promise<Child>): Promise<Supervised> {
    return new Supervised(name, launch, await launch());
  }

  /** From now on it is not started again. */
  retire(): void {
    this.isStopping = true;
    this.wake();
  }

  /** Stops it for good, and waits until it has ended. */
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
      process.stderr.write(`${this.name} ended (${signal ?? `exit code ${code}`}); starting it again in ${pause / 1_000} s.\n`);
      pause = await this.startAgain(pause);
      if (this.isStopping) return this.child.stop();
    }
  }

  /** @returns the pause before the next attempt, should this one not last */
  private async startAgain(firstPause: number): Promise<number> {
    let pause = firstPause;
    for (;;) {
      await this.sleep(pause);
      pause = Math.min(pause * 2, longestPauseMilliseconds);
      if (this.isStopping) return pause;
      try {
        this.child = await this.launch();
        process.stderr.write(`${this.name} runs again.\n`);
        return pause;
      } catch (error) {
        process.stderr.write(`${describe(error)}; trying again in ${pause / 1_000} s.\n`);
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
