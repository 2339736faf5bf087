/** Adds step commits to the statistics soon after they are written. Several processes can run it; one folds at a time. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { findUnfolded, foldNext } from '../store/statistics/fold.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { pause, startLoop, type BackgroundLoop } from './background-loop.js';

export interface StatisticsFoldOptions {
  store: Pool;
  logger: Logger;
  /** Receives the number of duration targets that were missed. */
  onMissed(count: number): void;
}

const PAUSE_MS = 10;
const PAUSE_WITHOUT_WORK_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 5_000;
const FIND_EVERY_MS = 3_600_000;

/** Runs until it is stopped; survives failures of Postgres. */
export function startStatisticsFold(options: StatisticsFoldOptions): BackgroundLoop {
  return startLoop((stopping) => run(options, stopping));
}

async function run({ store, logger, onMissed }: StatisticsFoldOptions, stopping: AbortSignal): Promise<void> {
  let foundAt = -Infinity;
  while (!stopping.aborted) {
    try {
      if (performance.now() - foundAt >= FIND_EVERY_MS) {
        await findUnfolded(store);
        foundAt = performance.now();
      }
      const { missed, hasMore } = await foldNext(store);
      if (missed > 0) onMissed(missed);
      await pause(hasMore ? PAUSE_MS : PAUSE_WITHOUT_WORK_MS, stopping);
    } catch (error) {
      logger.warn({ error: errorMessage(error) }, 'fold of statistics failed; retrying');
      await pause(PAUSE_AFTER_FAILURE_MS, stopping);
    }
  }
}
