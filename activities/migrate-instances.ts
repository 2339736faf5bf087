import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Pool } from 'pg';
import { advanceMigration } from '../store/instance-migrations-progress.js';

/** The workflow notes a round in its history, so a round is not too short; a worker that stops waits for it, so it is not too long. */
const ROUND_MS = 8_000;
const PAUSE_MS = 100;

/**
 * Works at a migration of many instances for a while.
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
