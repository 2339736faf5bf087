/**
 * The host's connections to Postgres, with the schema of this build. Each kind of work has a pool of its own, so that one
 * that hangs takes no connection from the others, and limits after which Postgres gives up a statement.
 */
import pg from 'pg';
import type { Logger } from 'pino';
import { migrate } from '../store/migrate.js';
import { StoreClient } from '../store/store-client.js';
import { reach, type Patience } from './reach.js';

/** SQLSTATE classes that come and go: connection, authorization while it is set up, catalog, resources, operator. */
const passing = /^(08|28|3D|53|57)/;

export interface Stores {
  /** Answers requests of the API. */
  requests: pg.Pool;
  /** Writes the steps of instances and reads what they need. */
  steps: pg.Pool;
  /** Dispatching, scheduling, reconciling and keeping house. */
  background: pg.Pool;
  end(): Promise<void>;
}

/** In milliseconds. */
interface Limits {
  /** For a connection: a free one, or a new one. */
  connection: number;
  lock: number;
  statement: number;
}

/**
 * A step has five seconds for each attempt (`workflows/activities.ts`): its statement ends before or soon after. A request has
 * 30 seconds (`api/operation.ts`). Work in the background is repeated, and some of it reads much.
 */
const limits: Record<'requests' | 'steps' | 'background', Limits> = {
  requests: { connection: 3_000, lock: 5_000, statement: 20_000 },
  steps: { connection: 1_500, lock: 3_000, statement: 4_000 },
  background: { connection: 5_000, lock: 10_000, statement: 60_000 },
};

/** What the network and a busy Postgres may add to the longest statement before the connection counts as dead. */
const ANSWER_MARGIN_MS = 1_000;

/**
 * Waits for Postgres and brings its schema up to date.
 * @param connections the most that are open at once, of all pools
 * @throws when a migration fails
 */
export async function openStores(databaseUrl: string, connections: number, patience: Patience): Promise<Stores> {
  const applied = await reach('Postgres', () => migrate(databaseUrl), patience, isMigrationFailure);
  if (applied.length > 0) patience.logger.info({ migrations: applied }, 'the database has been migrated');
  const shares = sharesOf(connections);
  const open = (kind: keyof typeof limits) => createPool(databaseUrl, shares[kind], limits[kind], patience.logger);
  const pools = { requests: open('requests'), steps: open('steps'), background: open('background') };
  return { ...pools, end: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))) };
}

/** The reconciler keeps a connection while it works; the dispatcher matches five channels at a time. */
function sharesOf(connections: number): Record<keyof typeof limits, number> {
  const background = Math.max(3, Math.floor(connections / 4));
  const requests = Math.max(2, Math.floor((connections * 5) / 16));
  return { requests, background, steps: connections - requests - background };
}

/** Connections are opened when they are needed, and closed when they have been idle for long. */
export function createPool(databaseUrl: string, connections: number, { connection, lock, statement }: Limits, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    Client: StoreClient,
    max: connections,
    connectionTimeoutMillis: connection,
    lock_timeout: lock,
    statement_timeout: statement,
    // A transaction whose process hangs between two statements must not keep its locks.
    idle_in_transaction_session_timeout: statement,
    // A Postgres that does not answer at all, however often it should have given up.
    query_timeout: statement + ANSWER_MARGIN_MS,
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
