/** Keeps the statistics of Postgres's planner true while tables grow from nothing. Several processes can run it. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { analyzeGrown } from '../store/sql/planner-statistics.js';
import { pause, startLoop, type BackgroundLoop } from './background-loop.js';

export interface PlannerStatisticsOptions {
  store: Pool;
  logger: Logger;
}

const PAUSE_MS = 5_000;

/** Runs until it is stopped; survives failures of Postgres. */
export function startPlannerStatistics({ store, logger }: PlannerStatisticsOptions): BackgroundLoop {
  return startLoop(async (stopping) => {
    while (!stopping.aborted) {
      try {
        const tables = await analyzeGrown(store);
        if (tables.length > 0) logger.debug({ tables }, 'analyzed tables that have grown');
      } catch (error) {
        logger.warn({ error: errorMessage(error) }, 'analysis of grown tables failed; retrying');
      }
      await pause(PAUSE_MS, stopping);
    }
  });
}
