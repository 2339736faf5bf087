/**
 * The host's connections to Postgres, with the schema of this build. Each kind of work has its own pool, so that
 * hanging work takes no connections from other work, and its own statement timeouts.
 */
import pg from 'pg';
import type { Logger } from 'pino';
import { ForeignSchemaError, migrate, SchemaRightsError } from '../store/migrate.js';
import { NoSessionsError, requireSessions } from '../store/connections/require-sessions.js';
import { LocalWaiters } from '../store/connections/announcer.js';
import { PooledDatabase } from '../store/connections/pooled-database.js';
import { StoreClient } from '../store/sql/store-client.js';
import { connectWithRetry, type RetryOptions } from '@perdure/lib/network/connect-with-retry.js';

/**
 * Transient SQLSTATE classes: connection, authorization (while it is being set up), catalog, resources, operator
 * intervention.
 */
const passing = /^(08|28|3D|53|57)/;

export interface Stores {
  /** For API requests. */
  requests: PooledDatabase;
  /** For writing the steps of instances and reading what they need. */
  steps: PooledDatabase;
  /** For the outbox relay, schedules, the reconciler, and cleanup. */
  background: PooledDatabase;
  end(): Promise<void>;
}

/** In milliseconds. */
interface Limits {
  /** The wait for a free or new connection. */
  connection: number;
  lock: number;
  statement: number;
}

/**
 * A step has five seconds per attempt (`workflows/activities.ts`), and its statement ends before that or shortly after.
 * A request has 30 seconds (`api/contract/operation.ts`). Background work is retried, and some of it reads large
 * amounts of data.
 */
const limits: Record<'requests' | 'steps' | 'background', Limits> = {
  requests: { connection: 3_000, lock: 5_000, statement: 20_000 },
  steps: { connection: 1_500, lock: 3_000, statement: 4_000 },
  background: { connection: 5_000, lock: 10_000, statement: 60_000 },
};

/** Network and Postgres latency added to the longest statement before the connection counts as dead. */
const ANSWER_MARGIN_MS = 1_000;

/**
 * Waits for Postgres and migrates its schema, if anything is missing. A complete one needs no rights to change it.
 * @param connections maximum number of open connections across all pools
 * @throws when a migration fails, or a pooler in between shares sessions
 */
export async function openStores(
  databaseUrl: string,
  connections: number,
  retry: RetryOptions & { logger: Logger },
): Promise<Stores> {
  const connect = async () => {
    await requireSessions(databaseUrl);
    return migrate(databaseUrl);
  };
  const applied = await connectWithRetry('Postgres', connect, retry, isPermanent);
  if (applied.length > 0) retry.logger.info({ migrations: applied }, 'database migrated');
  const shares = sharesOf(connections);
  const waiters = new LocalWaiters();
  const open = (kind: keyof typeof limits) =>
    new PooledDatabase(createPool(databaseUrl, shares[kind], limits[kind], retry.logger), waiters);
  const pools = { requests: open('requests'), steps: open('steps'), background: open('background') };
  return { ...pools, end: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))) };
}

/** The reconciler holds a connection while it runs; the outbox relay matches five channels at a time. */
function sharesOf(connections: number): Record<keyof typeof limits, number> {
  const background = Math.max(3, Math.floor(connections / 4));
  const requests = Math.max(2, Math.floor((connections * 5) / 16));
  return { requests, background, steps: connections - requests - background };
}

/** Connections are opened on demand and closed after a long idle time. */
export function createPool(
  databaseUrl: string,
  connections: number,
  { connection, lock, statement }: Limits,
  logger: Logger,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    Client: StoreClient,
    max: connections,
    connectionTimeoutMillis: connection,
    lock_timeout: lock,
    statement_timeout: statement,
    // A transaction whose process hangs between two statements must not hold its locks.
    idle_in_transaction_session_timeout: statement,
    // Covers a Postgres that does not respond at all and so never enforces its own timeout.
    query_timeout: statement + ANSWER_MARGIN_MS,
    // A new connection must prepare every statement again, which would slow down a burst after a quiet minute.
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    application_name: 'perdure',
  });
  // A broken idle connection is replaced on the next use.
  pool.on('error', (error) => logger.warn({ code: (error as { code?: string }).code }, 'connection to Postgres lost'));
  return pool;
}

function isPermanent(error: unknown): boolean {
  if (error instanceof ForeignSchemaError || error instanceof SchemaRightsError || error instanceof NoSessionsError)
    return true;
  return error instanceof pg.DatabaseError && error.code !== undefined && !passing.test(error.code);
}
