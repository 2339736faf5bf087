/** One step commit that waits for the next command of its instance. */
import type { CommandMessage, UnwrittenResult } from '@perdure/engine/contract/commands.js';

/**
 * `used`: the wait returned a command or ended with a timer. `in_vain`: no command arrived. `ended`: a signaled command or
 * shutdown ended the wait. `no_room`: the maximum number of commits was lingering.
 */
export type LingerOutcome = 'used' | 'in_vain' | 'ended' | 'no_room';

/** The reason why a wait ended: a command of this process, a change in the store, or the timeout. */
export type Ending = { by: 'command'; command: CommandMessage } | { by: 'news' | 'time' };

export class Linger {
  readonly projectID: string;
  readonly milliseconds: number;
  readonly #onEnd: (outcome: LingerOutcome | undefined, tookMs: number) => void;
  readonly #ended: Promise<Ending>;
  #end!: (ending: Ending) => void;
  #startedAt = 0;
  #isAwake = false;
  /** Number of the command that the commit waits for; undefined before it is written and once the wait has ended. */
  #awaited: number | undefined;

  constructor(
    projectID: string,
    milliseconds: number,
    onEnd: (outcome: LingerOutcome | undefined, tookMs: number) => void,
  ) {
    this.projectID = projectID;
    this.milliseconds = Math.ceil(milliseconds);
    this.#onEnd = onEnd;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  /** The commit is written and no command exists after number `received`. */
  begin(received: number): void {
    if (!this.#isAwake) this.#awaited = received + 1;
  }

  /**
   * Ends the wait with a job result that has no row.
   * @returns its number, or undefined if the wait has not begun or has ended
   */
  takeResult(result: () => Omit<UnwrittenResult, 'number'>): number | undefined {
    const number = this.#awaited;
    if (number !== undefined) this.wake({ by: 'command', command: { ...result(), number } as UnwrittenResult });
    return number;
  }

  /** Waits for the end. An earlier call of `wake` ends the wait immediately. */
  async wait(): Promise<Ending> {
    this.#startedAt = performance.now();
    const timer = setTimeout(() => this.wake({ by: 'time' }), this.milliseconds);
    const ending = await this.#ended;
    clearTimeout(timer);
    return ending;
  }

  wake(ending: Ending): void {
    this.#isAwake = true;
    this.#awaited = undefined;
    this.#end(ending);
  }

  /** Releases the place; `outcome` is undefined if the commit did not wait. */
  release(outcome?: LingerOutcome): void {
    this.#onEnd(outcome, performance.now() - this.#startedAt);
  }
}
