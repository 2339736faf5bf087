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
import { buildIndexes, missingIndexes } from './indexes.js';

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

/** The database lacks a part of the schema, and the role of this process may not create it. Nothing in it has changed. */
export class SchemaRightsError extends Error {
  override readonly name = 'SchemaRightsError';
}

/**
 * Runs the missing migrations, each in a transaction, builds the missing indexes, and completes existing rows.
 * @param folder migrations to run (default: those of this build)
 * @returns names of the migrations that ran and of the indexes that were built, in order
 * @throws ForeignSchemaError if the database has the schema of a build before the first release
 * @throws SchemaRightsError if something is missing that the role may not create
 * @throws the database's error, naming the statement, if a migration fails; those before it stay
 */
export async function migrate(databaseUrl: string, folder = migrationsFolder()): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A broken connection fails the current query; without a listener, its error event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Without a lock and without rights to change the schema, because most starts find it complete.
    const missing = await missingParts(client, folder);
    const isComplete = missing.length === 0 && !existsSync(join(folder, 'backfills'));
    return isComplete ? [] : await complete(client, folder, missing);
  } finally {
    await client.end();
  }
}

/** Names of the migrations and indexes that the database lacks, in order. */
async function missingParts(client: pg.Client, folder: string): Promise<string[]> {
  const known = new Set(await appliedMigrations(client));
  const migrations = migrationsIn(folder).filter((name) => !known.has(name));
  return [...migrations, ...(await missingIndexes(client, join(folder, 'indexes')))];
}

async function complete(client: pg.Client, folder: string, missing: readonly string[]): Promise<string[]> {
  await lock(client);
  await refuseForeignSchema(client, folder);
  await requireRights(client, missing);
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
}

async function requireRights(client: pg.Client, missing: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ role: string; may: boolean }>(
    "SELECT current_user AS role, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may",
  );
  const [{ role, may }] = rows as [(typeof rows)[number]];
  if (may || missing.length === 0) return;
  throw new SchemaRightsError(
    `Database ${client.database} lacks ${missing.join(', ')}, and role ${role} may not create it. Run npm run migrate ` +
      'with a DATABASE_URL of the role that owns the schema, then start the host.',
  );
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
  const [oldest] = await appliedMigrations(client);
  const [first] = migrationsIn(folder);
  if (oldest === undefined || oldest === first) return;
  throw new ForeignSchemaError(
    `Database ${client.database} has the schema of a build before the first release: its first migration is ` +
      `${oldest}, that of this build is ${first}. It cannot be migrated, and nothing in it was changed. ` +
      'Drop it and create it again, or set DATABASE_URL to an empty database. ' +
      'If npm start keeps it: set PERDURE_HOME to another folder, or delete the folder.',
  );
}

/** Names of the migrations that ran, in order. */
async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query('SELECT to_regclass($1) AS name WHERE to_regclass($1) IS NOT NULL', [
    MIGRATIONS_TABLE,
  ]);
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`);
  return rows.map(({ name }) => name);
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
