/**
 * Brings a database to the schema of this build. Migrations are numbered SQL files that go one way; they stay in
 * the source folder, which is found from the source and from the built file alike.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { buildIndexes } from './indexes.js';

/** Any number that nothing else in the database locks: hosts that start together migrate one after the other. */
const migrationLock = 7_303_013;

/** Pause between two attempts to take the lock. */
const LOOK_AGAIN_MS = 100;

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Runs the migrations that are missing, each in a transaction, and builds the indexes that are missing after them.
 * @param folder migrations to run (default: those of this build)
 * @returns names of the migrations that ran and of the indexes that were built, in order
 * @throws the database's error, naming the statement, when a migration fails; those before it stay
 */
export async function migrate(databaseUrl: string, folder = migrationsFolder()): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A connection that breaks fails the query it breaks under; unheard, its event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await lock(client);
    const applied = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'schema_migrations',
      noLock: true,
      logger: silent,
    });
    return [...applied.map(({ name }) => name), ...(await buildIndexes(client, join(folder, 'indexes')))];
  } finally {
    await client.end();
  }
}

/** Polls for the lock. A statement that blocks on it would hold a snapshot, and a concurrent index build waits for snapshots. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [migrationLock]);
    if (rows[0]?.locked) return;
    await delay(LOOK_AGAIN_MS);
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
