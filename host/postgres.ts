/** The host's connection to Postgres, with the schema of this build. */
import pg from 'pg';
import type { Logger } from 'pino';
import { StoreClient } from '../store/store-client.js';
import { migrate } from '../store/migrate.js';
import { reach, type Patience } from './reach.js';

/** More than the workflow tasks that a worker runs at once do not park at once. */
const MOST_CONNECTIONS = 20;
/** SQLSTATE classes that come and go: connection, authorization while it is set up, catalog, resources, operator. */
const passing = /^(08|28|3D|53|57)/;

/**
 * Waits for Postgres and brings its schema up to date.
 * @throws when a migration fails
 */
export async function openStore(databaseUrl: string, patience: Patience): Promise<pg.Pool> {
  const applied = await reach('Postgres', () => migrate(databaseUrl), patience, isMigrationFailure);
  if (applied.length > 0) patience.logger.info({ migrations: applied }, 'the database has been migrated');
  return createPool(databaseUrl, patience.logger);
}

function createPool(databaseUrl: string, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    Client: StoreClient,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: 3_000,
    // A new connection has to prepare every statement again, so that a burst after a quiet minute would be slow.
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    application_name: 'perdure',
  });
  // An idle connection that breaks is replaced when the next one is needed.
  pool.on('error', (error) => logger.warn({ code: (error as { code?: string }).code }, 'a connection to Postgres has broken'));
  // One that breaks while it is lent fails the next query on it; unheard, its event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function isMigrationFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && !passing.test(error.code);
}
