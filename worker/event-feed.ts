/** Makes events readable soon after their commit, and reports user tasks that become overdue. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { reportOverdueTasks } from '../store/events/of-task.js';
import { assignPositions, hasFeeds } from '../store/events/positions.js';
import { announce, eventsAnnouncement } from '../store/sql/announcements.js';
import { pause, startLoop, type BackgroundLoop } from './background-loop.js';

export interface EventFeedOptions {
  store: Pool;
  logger: Logger;
}

const PAUSE_MS = 100;
const PAUSE_WITHOUT_FEEDS_MS = 1_000;
const OVERDUE_EVERY_MS = 5_000;

/** Runs until it is stopped; survives failures of Postgres. Several processes can run it. */
export function startEventFeed(options: EventFeedOptions): BackgroundLoop {
  return startLoop((stopping) => run(options, stopping));
}

async function run({ store, logger }: EventFeedOptions, stopping: AbortSignal): Promise<void> {
  let overdueAt = 0;
  while (!stopping.aborted) {
    try {
      if (!(await hasFeeds(store))) {
        await pause(PAUSE_WITHOUT_FEEDS_MS, stopping);
        continue;
      }
      if (performance.now() >= overdueAt && (await reportOverdueTasks(store)) === 0)
        overdueAt = performance.now() + OVERDUE_EVERY_MS;
      const { projectIDs, isFull } = await assignPositions(store);
      announce(store, projectIDs.map(eventsAnnouncement));
      if (!isFull) await pause(PAUSE_MS, stopping);
    } catch (error) {
      logger.warn({ error: errorMessage(error) }, 'event feeds could not be extended; retrying');
      await pause(PAUSE_WITHOUT_FEEDS_MS, stopping);
    }
  }
}
