/** Adds step commits to the statistics soon after they are written. Several processes can run it; one folds at a time. */
import { findUnfolded, foldNext } from '../../store/statistics/fold.js';
import type { Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface StatisticsOptions {
  store: Database;
  /** Receives the number of duration targets that were missed. */
  onMissed(count: number): void;
}

export function statistics(options: StatisticsOptions): Chore[] {
  return [fold(options), unfoldedSteps(options)];
}

function fold({ store, onMissed }: StatisticsOptions): Chore {
  return {
    name: 'statistics_fold',
    every: 2_000,
    prompt: true,
    async run() {
      const turn = await foldNext(store);
      if (turn.isBusy) return 'busy';
      if (turn.missed > 0) onMissed(turn.missed);
      return turn.hasMore ? 'more' : 'done';
    },
  };
}

/** Never in front of the fold, which retention waits for: it reads all instances. */
function unfoldedSteps({ store }: StatisticsOptions): Chore {
  return { name: 'unfolded_steps', every: 60_000, run: () => findUnfolded(store) };
}
