/**
 * Brings a database to the schema of this build. Migrations are numbered SQL files that go one way; they stay in
 * the source folder, which is found from the source and from the built file alike.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/** Any number that nothing else in the database locks: hosts that start together migrate one after the other. */
const migrationLock = 7_303_013;

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Runs the migrations that are missing, each in a transaction.
 * @returns names of the migrations that ran, in order
 * @throws the database's error, naming the statement, when a migration fails; those before it stay
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A connection that breaks fails the query it breaks under; unheard, its event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const applied = await runner({
      dbClient: client,
      dir: migrationsFolder(),
      direction: 'up',
      migrationsTable: 'schema_migrations',
      noLock: true,
      logger: silent,
    });
    return applied.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

function migrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'store', 'migrations'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No folder store/migrations above ${fileURLToPath(import.meta.url)}: the installation is not complete`);
    folder = parent;
  }
  return join(folder, 'store', 'migrations');
}
