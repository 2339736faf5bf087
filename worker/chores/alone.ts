/** Chores that one process at a time runs. */
import type { Pool } from 'pg';
import type { RunResult } from '../../background/chore.js';

/**
 * Runs `work` unless another process holds the lock. The lock takes a connection and outlives its transactions.
 * @param lock an advisory lock, unique in the database
 * @param onBusy called if another process holds it
 */
export async function alone(
  store: Pool,
  lock: number,
  work: () => Promise<RunResult>,
  onBusy: () => void,
): Promise<RunResult> {
  const connection = await store.connect();
  try {
    const { rows } = await connection.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [lock]);
    if (rows[0]?.locked !== true) {
      onBusy();
      return 'busy';
    }
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1)', [lock]);
    }
  } finally {
    connection.release();
  }
}
