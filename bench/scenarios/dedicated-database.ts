/** An empty database on a Postgres with default settings that only one measurement uses. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../dev/ports.js';
import { createDatabaseIfMissing, startPostgres } from '../../dev/postgres/cluster.js';
import { PooledDatabase } from '../../store/connections/pooled-database.js';
import { migrate } from '../../store/migrate.js';
import type { Database } from '../../store/sql/database.js';

/** @param name of the database */
export async function withDatabase<Figures>(
  name: string,
  measure: (database: Database) => Promise<Figures>,
): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
  // Postgres runs under another account when we are root.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    folder,
    port: await freePort(),
    password: randomBytes(9).toString('hex'),
  });
  await createDatabaseIfMissing(postgres, name);
  const url = postgres.databaseUrl(name);
  await migrate(url);
  const connections = new pg.Pool({ connectionString: url, max: 10 });
  // Stopping Postgres cuts connections that are still saying goodbye after the pool has ended.
  connections.on('error', () => undefined);
  const database = new PooledDatabase(connections);
  try {
    return await measure(database);
  } finally {
    await database.end();
    await postgres.child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
