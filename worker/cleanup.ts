/** Deletes what has expired: messages, signals, and old history promptly, everything else once an hour. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { dropExpired } from '../store/messages/expired-publications.js';
import { deleteExpired } from '../store/retention/cleanup.js';
import type { PublicationType } from '../store/messages/correlation.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { removeOldHistory, type HistoryRetention } from './history-retention.js';
import { startLoop, pause, type BackgroundLoop } from './background-loop.js';

export interface CleanupOptions {
  store: Pool;
  logger: Logger;
  /** Receives the number of expired publications; the messages among them were never consumed. */
  onExpired(type: PublicationType, count: number): void;
  history: Omit<HistoryRetention, 'store'>;
}

const PAUSE_MS = 10_000;
const CLEANUP_EVERY_MS = 3_600_000;
/**
 * History is kept for this long after startup. An instance may have ended just as everything was stopped, with its rows
 * written but its workflow not yet notified; the workflow must complete first.
 */
const HISTORY_AFTER_MS = 60_000;

/** Runs until it is stopped; survives failures of Postgres. Several processes can run it. */
export function startCleanup(options: CleanupOptions): BackgroundLoop {
  return startLoop((stopping) => run(options, stopping));
}

async function run({ store, logger, onExpired, history }: CleanupOptions, stopping: AbortSignal): Promise<void> {
  const historyFrom = performance.now() + HISTORY_AFTER_MS;
  let cleanedAt = -Infinity;
  while (!stopping.aborted) {
    try {
      const dropped = await dropExpired(store);
      for (const type of ['message', 'signal'] as const) if (dropped[type] > 0) onExpired(type, dropped[type]);
      if (performance.now() - cleanedAt >= CLEANUP_EVERY_MS) {
        await deleteExpired(store);
        cleanedAt = performance.now();
      }
      if (performance.now() >= historyFrom) await removeOldHistory({ store, ...history }, stopping);
    } catch (error) {
      logger.warn({ error: errorMessage(error) }, 'deletion of expired data failed; retrying');
    }
    await pause(PAUSE_MS, stopping);
  }
}
