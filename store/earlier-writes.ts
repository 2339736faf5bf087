/**
 * Waiting for what began before a suspension. A statement sees the database as it was when it began, so one that waits
 * for a row would still believe that a definition runs. A suspension is therefore answered when all of them have ended;
 * what begins later sees it. Parks and polls pay nothing for this.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { rows } from './database.js';

const LOOK_EVERY_MS = 5;
/** Within the time that a request has. */
const LONGEST_WAIT_MS = 20_000;

/**
 * Transactions that write steps, commands or jobs, or are about to: Postgres takes the lock on the table before the
 * snapshot that the statement sees.
 */
const writers = `
  SELECT DISTINCT l.virtualtransaction AS id FROM pg_locks l
  WHERE l.locktype = 'relation' AND l.granted AND l.mode IN ('RowShareLock', 'RowExclusiveLock')
    AND l.relation IN ('instances'::regclass, 'jobs'::regclass)
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND l.pid <> pg_backend_pid()`;

/**
 * Waits until every transaction has ended that has begun to write before this call.
 * @throws when one of them lasts too long
 */
export async function earlierWritesEnded(pool: Pool): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS;
  let earlier = await transactions(pool, writers, []);
  while (earlier.length > 0) {
    if (performance.now() > until) throw new UnfinishedWrites(earlier.length);
    await delay(LOOK_EVERY_MS);
    earlier = await transactions(pool, `SELECT id FROM (${writers}) AS now WHERE id = ANY($1::text[])`, [earlier]);
  }
}

async function transactions(pool: Pool, text: string, values: unknown[]): Promise<string[]> {
  return (await rows<{ id: string }>(pool, text, values)).map(({ id }) => id);
}

/** The suspension is written, but something may still move that began before it. Asking again waits again. */
export class UnfinishedWrites extends Error {
  /** SQLSTATE lock_not_available: the same request may succeed later. */
  readonly code = '55P03';

  constructor(count: number) {
    super(`${count} transactions that began before the suspension have not ended after ${LONGEST_WAIT_MS} ms. Find them in pg_stat_activity and suspend again.`);
  }
}
