/** How long waiting for the result of a job pays, by task type: learned from what came of waiting before. */

/** Below this share of waits that were of use, most are left out. */
const WORTHWHILE_SHARE = 0.25;
/** Of those left out, every so many-th is made, to notice when jobs become quick again. */
const WAITS_PER_PROBE = 8;
/** Weight of the latest wait. */
const WEIGHT = 0.2;
const MOST_TYPES = 1_000;

interface Habit {
  /** Of waits that were of use, the latest weighing most. */
  share: number;
  /** Of the times that results took, in milliseconds. */
  meanMs: number;
  leftOut: number;
}

export class LingerHabits {
  readonly #longestMs: number;
  readonly #habits = new Map<string, Habit>();

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** How long the next wait should be; 0 when it is better left out. */
  nextWaitMs(type: string): number {
    const habit = this.#of(type);
    if (habit.share < WORTHWHILE_SHARE) {
      habit.leftOut = (habit.leftOut + 1) % WAITS_PER_PROBE;
      if (habit.leftOut !== 0) return 0;
    }
    return Math.min(this.#longestMs, 50 + 4 * habit.meanMs);
  }

  /** The result came after so many milliseconds. */
  wasOfUse(type: string, milliseconds: number): void {
    const habit = this.#of(type);
    habit.share += WEIGHT * (1 - habit.share);
    habit.meanMs += WEIGHT * (milliseconds - habit.meanMs);
  }

  wasInVain(type: string): void {
    const habit = this.#of(type);
    habit.share -= WEIGHT * habit.share;
    habit.meanMs = Math.min(this.#longestMs, 2 * habit.meanMs + 10);
  }

  #of(type: string): Habit {
    const known = this.#habits.get(type);
    const habit = known ?? { share: 1, meanMs: this.#longestMs / 4, leftOut: 0 };
    if (known) this.#habits.delete(type);
    this.#habits.set(type, habit);
    if (this.#habits.size > MOST_TYPES) this.#habits.delete(this.#habits.keys().next().value!);
    return habit;
  }
}
