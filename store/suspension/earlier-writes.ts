/**
 * Waiting for transactions that started before a suspension. A statement sees the database as of its start, so one that
 * waits for a row would still see a running definition. A suspension is therefore acknowledged when all of them have
 * ended; later transactions see it. Step commits and polls pay nothing for this.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { rows, type Database, type Transaction } from '../sql/database.js';

const LOOK_EVERY_MS = 5;
/** Within the time limit of a request. */
const MAX_WAIT_MS = 20_000;
/** An arbitrary key used by no other lock in the database. */
const PASSED_LOCK = 7_303_044;

/**
 * No suspension waits for the end of this transaction. Call it before the first write. The transaction writes to new
 * instances only, and refuses to commit if one of their definitions, which it locks at its end, is suspended.
 */
export async function letSuspensionsPass(transaction: Transaction): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock_shared($1)', [PASSED_LOCK]);
}

/**
 * Transactions that write steps, commands or jobs, or are about to: Postgres locks the table before it takes the
 * snapshot of the statement.
 */
const writers = `
  SELECT DISTINCT l.virtualtransaction AS id FROM pg_locks l
  WHERE l.locktype = 'relation' AND l.granted AND l.mode IN ('RowShareLock', 'RowExclusiveLock')
    AND l.relation IN ('instances'::regclass, 'jobs'::regclass)
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND l.pid <> pg_backend_pid()
    AND l.virtualtransaction NOT IN (
      SELECT virtualtransaction FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = ${PASSED_LOCK} AND objsubid = 1)`;

/**
 * Waits until all transactions have ended that started to write before this call.
 * @throws if one of them takes too long
 */
export async function earlierWritesEnded(database: Database): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  let earlier = await transactions(database, writers, []);
  while (earlier.length > 0) {
    if (performance.now() > until) throw new UnfinishedWrites(earlier.length);
    await delay(LOOK_EVERY_MS);
    earlier = await transactions(database, `SELECT id FROM (${writers}) AS now WHERE id = ANY($1::text[])`, [earlier]);
  }
}

async function transactions(database: Database, text: string, values: unknown[]): Promise<string[]> {
  return (await rows<{ id: string }>(database, text, values)).map(({ id }) => id);
}

/**
 * The suspension is written, but transactions that started before it may still move instances. A repeated request waits
 * again.
 */
export class UnfinishedWrites extends Error {
  /** SQLSTATE lock_not_available: the same request may succeed later. */
  readonly code = '55P03';

  constructor(count: number) {
    super(
      `${count} transactions that started before the suspension are still running after ${MAX_WAIT_MS} ms. Find them in pg_stat_activity and suspend again.`,
    );
  }
}
