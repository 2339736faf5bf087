/** One timer for the whole instance: it wakes the workflow when the next timer of the process is due. */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

/**
 * Maximum duration: a later timer wakes the workflow in between, because the server does not accept durations of
 * centuries.
 */
const MAX_SLEEP_MS = 365 * 24 * 60 * 60 * 1000;

export class WakeTimer {
  private due: number | undefined;
  private scope: CancellationScope | undefined;

  /** The time has come, or may have come. The wake timer is off until it is set again. */
  fired = false;

  /**
   * Sets the wake timer, or turns it off. Setting it to the same time costs nothing.
   * @param due epoch milliseconds
   * @param now epoch milliseconds
   */
  set(due: number | undefined, now: number): void {
    this.fired = false;
    if (due === this.due) return;
    this.scope?.cancel();
    this.scope = undefined;
    this.due = due;
    if (due !== undefined) this.arm(due - now);
  }

  private arm(delayMs: number): void {
    const scope = new CancellationScope();
    this.scope = scope;
    scope
      .run(() => sleep(Math.min(delayMs, MAX_SLEEP_MS)))
      .then(
        () => {
          this.scope = undefined;
          this.due = undefined;
          this.fired = true;
        },
        (error: unknown) => {
          if (!isCancellation(error)) throw error;
        },
      );
  }
}
