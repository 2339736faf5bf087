import pg from 'pg';
import { PooledDatabase } from '../../store/connections/pooled-database.js';
import { StoreClient } from '../../store/sql/store-client.js';

/** A database over its own pool, with connections as a host has them. A test may cut the connections. */
export function openDatabase(connectionString: string, options: pg.PoolConfig = {}): PooledDatabase {
  const pool = new pg.Pool({ connectionString, Client: StoreClient, ...options });
  pool.on('error', () => undefined);
  return new PooledDatabase(pool);
}
