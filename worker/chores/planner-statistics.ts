/** Keeps the statistics of Postgres's planner true while tables grow from nothing. Several processes can run it. */
import type { Logger } from 'pino';
import { analyzeGrown } from '../../store/sql/planner-statistics.js';
import type { Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export function plannerStatistics({ store, logger }: { store: Database; logger: Logger }): Chore {
  return {
    name: 'planner_statistics',
    every: 5_000,
    // A table that grows from nothing has wrong plans until it is analyzed.
    prompt: true,
    async run() {
      const tables = await analyzeGrown(store);
      if (tables.length > 0) logger.debug({ tables }, 'analyzed tables that have grown');
      return 'done';
    },
  };
}
