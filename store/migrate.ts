/**
 * Migrates a database to the schema of this build. Migrations are numbered SQL files without a down direction. They
 * stay in the source folder, which is located from the source and from the compiled file alike.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { runBackfills } from './backfills.js';
import { buildIndexes } from './indexes.js';

const MIGRATIONS_TABLE = 'schema_migrations';

/** An arbitrary key used by no other lock in the database: hosts that start together migrate one at a time. */
const migrationLock = 7_303_013;

/** Pause between two attempts to take the lock. */
const LOOK_AGAIN_MS = 100;

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The database was made by a build whose schema does not lead to that of this build. Nothing in it has changed. */
export class ForeignSchemaError extends Error {
  override readonly name = 'ForeignSchemaError';
}

/**
 * Runs the missing migrations, each in a transaction, builds the missing indexes, and completes existing rows.
 * @param folder migrations to run (default: those of this build)
 * @returns names of the migrations that ran and of the indexes that were built, in order
 * @throws ForeignSchemaError if the database has the schema of a build before the first release
 * @throws the database's error, naming the statement, if a migration fails; those before it stay
 */
export async function migrate(databaseUrl: string, folder = migrationsFolder()): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A broken connection fails the current query; without a listener, its error event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await lock(client);
    await refuseForeignSchema(client, folder);
    const applied = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: MIGRATIONS_TABLE,
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

/** Every release begins with the same migration. Builds before the first release began with others. */
async function refuseForeignSchema(client: pg.Client, folder: string): Promise<void> {
  const { rows: tables } = await client.query('SELECT to_regclass($1) AS name WHERE to_regclass($1) IS NOT NULL', [
    MIGRATIONS_TABLE,
  ]);
  if (tables.length === 0) return;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id LIMIT 1`);
  const [first] = migrationsIn(folder);
  if (rows.length === 0 || rows[0]!.name === first) return;
  throw new ForeignSchemaError(
    `Database ${client.database} has the schema of a build before the first release: its first migration is ` +
      `${rows[0]!.name}, that of this build is ${first}. It cannot be migrated, and nothing in it was changed. ` +
      'Drop it and create it again, or set DATABASE_URL to an empty database. ' +
      'If npm start keeps it: set PERDURE_HOME to another folder, or delete the folder.',
  );
}

/** Names of the migrations, in order. */
function migrationsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted();
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
