/** Learns from earlier waits, by task type, how long waiting for the result of a job pays. */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';

/** If fewer waits than this share were useful, most waits are skipped. */
const WORTHWHILE_SHARE = 0.25;
/** One in this many skipped waits is made anyway, to notice when jobs become quick again. */
const WAITS_PER_PROBE = 8;
/** Weight of the latest wait. */
const WEIGHT = 0.2;
const MAX_TYPES = 1_000;

interface Habit {
  /** Share of useful waits, as an exponential moving average. */
  share: number;
  /** Moving average of the time until a result, in milliseconds. */
  meanMs: number;
  leftOut: number;
}

export class LingerHabits {
  readonly #maxMs: number;
  readonly #habits = new BoundedCache<string, Habit>({ entries: MAX_TYPES });

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Duration of the next wait in milliseconds; 0 if it should be skipped. */
  nextWaitMs(type: string): number {
    const habit = this.#of(type);
    if (habit.share < WORTHWHILE_SHARE) {
      habit.leftOut = (habit.leftOut + 1) % WAITS_PER_PROBE;
      if (habit.leftOut !== 0) return 0;
    }
    return Math.min(this.#maxMs, 50 + 4 * habit.meanMs);
  }

  /** Records that the result arrived after `milliseconds`. */
  wasOfUse(type: string, milliseconds: number): void {
    const habit = this.#of(type);
    habit.share += WEIGHT * (1 - habit.share);
    habit.meanMs += WEIGHT * (milliseconds - habit.meanMs);
  }

  wasInVain(type: string): void {
    const habit = this.#of(type);
    habit.share -= WEIGHT * habit.share;
    habit.meanMs = Math.min(this.#maxMs, 2 * habit.meanMs + 10);
  }

  #of(type: string): Habit {
    const habit = this.#habits.get(type) ?? { share: 1, meanMs: this.#maxMs / 4, leftOut: 0 };
    this.#habits.set(type, habit);
    return habit;
  }
}
