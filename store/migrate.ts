/**
 * Migrates a database to the schema of this build. Migrations are numbered SQL files without a down direction. They
 * stay in the source folder, which is located from the source and from the compiled file alike.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { runBackfills } from './backfills.js';
import { buildIndexes } from './indexes.js';

/** An arbitrary key used by no other lock in the database: hosts that start together migrate one at a time. */
const migrationLock = 7_303_013;

/** Pause between two attempts to take the lock. */
const LOOK_AGAIN_MS = 100;

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Runs the missing migrations, each in a transaction, builds the missing indexes, and completes existing rows.
 * @param folder migrations to run (default: those of this build)
 * @returns names of the migrations that ran and of the indexes that were built, in order
 * @throws the database's error, naming the statement, if a migration fails; those before it stay
 */
export async function migrate(databaseUrl: string, folder = migrationsFolder()): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A broken connection fails the current query; without a listener, its error event would end the process.
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
    const indexes = await buildIndexes(client, join(folder, 'indexes'));
    await runBackfills(client, join(folder, 'backfills'));
    return [...applied.map(({ name }) => name), ...indexes];
  } finally {
    await client.end();
  }
}

/** Polls for the lock. A blocking statement would hold a snapshot, and a concurrent index build waits for snapshots. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      migrationLock,
    ]);
    if (rows[0]?.locked) return;
    await delay(LOOK_AGAIN_MS);
  }
}

function migrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'store', 'migrations'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(
        `No folder store/migrations found above ${fileURLToPath(import.meta.url)}: the installation is incomplete`,
      );
    folder = parent;
  }
  return join(folder, 'store', 'migrations');
}
