/** Background work of a role. `driver.ts` runs all of it, so that one chore that fails or hangs stops no other. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Chore {
  /** Label of its metrics: lowercase, with underscores. */
  name: string;
  /** Pause after a run that left nothing to do, in milliseconds. */
  every: number;
  /** Pause before the first run, in milliseconds (default 0). */
  after?: number;
  /** Whether requests or instances wait for it. A prompt chore never waits for another one. */
  prompt?: boolean;
  /** Replaces the pause of a prompt chore: returns early if there is work. */
  wait?(milliseconds: number, stopping: AbortSignal): Promise<void>;
  /** Does a bounded amount of work. A failure is reported and the run repeated, so `run` may throw. */
  run(turn: Turn): Promise<RunResult>;
  /** Waits for what its runs have begun and left in progress, after the last run. */
  finish?(): Promise<void>;
}

/** The share of one run. */
export interface Turn {
  /** When the run should return, as in `performance.now()`. */
  until: number;
  stopping: AbortSignal;
}

/**
 * `more`: there may be more to do at once. `busy`: another process is doing it, so the run says nothing about whether it
 * succeeds.
 */
export type RunResult = 'done' | 'more' | 'busy';

/** Ends early when `stopping` is aborted. */
export async function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: stopping }).catch(() => undefined);
}

/** Between two transactions of a run, to leave disk bandwidth to others. */
const PAUSE_MILLISECONDS = 20;

/**
 * Repeats a bounded amount of work until there is no more, or the share of the run is used up.
 * @param work returns whether there may be more
 */
export async function repeat({ until, stopping }: Turn, work: () => Promise<boolean>): Promise<RunResult> {
  while (!stopping.aborted && performance.now() < until) {
    if (!(await work())) return 'done';
    await delay(PAUSE_MILLISECONDS);
  }
  return 'more';
}

/**
 * A run that reads a table page by page. The next run continues where it ended, and begins again after the last page.
 * @param page returns the position after which the next page begins; undefined after the last one
 */
export function walk<Position>(page: (after: Position | undefined) => Promise<Position | undefined>): Chore['run'] {
  let after: Position | undefined;
  return (turn) =>
    repeat(turn, async () => {
      after = await page(after);
      return after !== undefined;
    });
}
