/** Chores of a worker, run by a test. */
import type { Chore } from '../../../background/chore.js';

/** Runs each chore, one after another, until it has nothing more to do. */
export async function runAll(chores: readonly Chore[]): Promise<void> {
  const turn = { until: Infinity, stopping: new AbortController().signal };
  for (const chore of chores) while ((await chore.run(turn)) === 'more');
}
