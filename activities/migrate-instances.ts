import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Pool } from 'pg';
import { advanceMigration } from '../store/migration/progress.js';

/**
 * Duration of a round: long enough because each round adds to the workflow's history, short enough because a stopping
 * worker waits for it.
 */
const ROUND_MS = 8_000;
const PAUSE_MS = 100;

/**
 * Processes a migration of many instances for a while.
 * @returns whether it is completed
 */
export async function migrateInstances(store: Pool, { migrationID }: { migrationID: string }): Promise<boolean> {
  const { cancellationSignal, heartbeat } = Context.current();
  const end = performance.now() + ROUND_MS;
  while (performance.now() < end && !cancellationSignal.aborted) {
    heartbeat();
    const { moved, completed } = await advanceMigration(store, migrationID);
    if (completed) return true;
    if (!moved) await delay(PAUSE_MS, undefined, { signal: cancellationSignal }).catch(() => undefined);
  }
  return false;
}
