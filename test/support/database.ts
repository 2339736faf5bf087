import pg from 'pg';
import { PooledDatabase } from '../../store/connections/pooled-database.js';

/** A database over its own pool. A test may cut the connections. */
export function openDatabase(connectionString: string, options: pg.PoolConfig = {}): PooledDatabase {
  const pool = new pg.Pool({ connectionString, ...options });
  pool.on('error', () => undefined);
  return new PooledDatabase(pool);
}
