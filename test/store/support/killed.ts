import pg from 'pg';
import { expect } from 'vitest';
import { rows } from '../../../store/sql/database.js';
import type { TestStore } from './store.js';
import { PooledDatabase } from '../../../store/connections/pooled-database.js';
import type { Database } from '../../../store/sql/database.js';

/**
 * Runs `work` on its own connection, which is cut when it waits for rows that `lock` holds: as if its process had
 * been killed between two statements.
 * @param lock a statement with the values of its parameters
 */
export async function killedAt(
  store: TestStore,
  lock: readonly [text: string, values?: unknown[]],
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  const application = 'to-be-killed';
  const pool = new pg.Pool({ connectionString: store.databaseUrl, application_name: application, max: 1 });
  const holder = await store.pool.connect();
  await holder.query('BEGIN');
  await holder.query(...lock);
  const killed = expect(work(new PooledDatabase(pool))).rejects.toThrow();
  const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = $1`;
  while ((await rows(store.database, kill, [application])).length === 0);
  await killed;
  await holder.query('ROLLBACK');
  holder.release();
  await pool.end();
}
