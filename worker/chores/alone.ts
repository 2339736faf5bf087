/** Chores that one process at a time runs. */
import type { RunResult } from '../../background/chore.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';

/**
 * Runs `work` unless another process holds the lock. The lock takes a connection and outlives its transactions.
 * @param lock an advisory lock, unique in the database
 * @param onBusy called if another process holds it
 */
export function alone(
  store: PooledDatabase,
  lock: number,
  work: () => Promise<RunResult>,
  onBusy: () => void,
): Promise<RunResult> {
  return store.onOneConnection(async (connection) => {
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
  });
}
