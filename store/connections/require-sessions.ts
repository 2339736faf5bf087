/**
 * Checks that each connection is a separate session of Postgres. A pooler that gives its connections to one transaction
 * after the other breaks what Perdure builds on: locks that outlive a transaction stay with a connection of the pooler,
 * and LISTEN hears nothing. Neither fails, so the check comes before anything else.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Connections to Postgres do not keep their session. Nothing has been changed in the database. */
export class NoSessionsError extends Error {
  override readonly name = 'NoSessionsError';
}

/** The name of a setting that Postgres does not know, so that no pooler knows and restores it. */
const SETTING = 'perdure.session';
/** A value of `lock_timeout` that no default has, in milliseconds. */
const LOCK_TIMEOUT_MS = 54_321;
/** Behind a pooler with one connection, the other transaction has it. */
const READ_WITHIN_MS = 5_000;
const HEARD_WITHIN_MS = 10_000;
/** A slower check is repeated. */
const bounded = { connectionTimeoutMillis: 15_000, query_timeout: 30_000 };

/**
 * @throws NoSessionsError if something between this process and Postgres shares sessions, or drops the settings of a
 *   connection
 * @throws Error if it could not be found out, which may pass
 */
export async function requireSessions(databaseUrl: string): Promise<void> {
  const options = { connectionString: databaseUrl, ...bounded };
  const one = new pg.Client({ ...options, lock_timeout: LOCK_TIMEOUT_MS });
  const other = new pg.Client(options);
  // A broken connection fails its query; without a listener, its error event would end the process.
  for (const client of [one, other]) client.on('error', () => undefined);
  try {
    await Promise.all([one.connect(), other.connect()]);
    // First, because a shared session has the settings of another connection as well.
    await requireKept(one, other);
    await requireSetting(one);
    await requireHeard(one, other);
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => undefined)));
  }
}

/** Limits of statements and locks are settings of the connection. Some poolers drop them. */
async function requireSetting(one: pg.Client): Promise<void> {
  const { rows } = await one.query<{ setting: string }>("SELECT setting FROM pg_settings WHERE name = 'lock_timeout'");
  if (rows[0]?.setting !== String(LOCK_TIMEOUT_MS))
    throw refused(
      one,
      `lock_timeout was set to ${LOCK_TIMEOUT_MS} when the connection was opened, and is ${rows[0]?.setting}`,
      'A connection pooler drops the settings of connections (PgBouncer: ignore_startup_parameters), so that timeouts ' +
        'would not hold',
    );
}

/**
 * A setting that one connection makes in a transaction must be there in its next one. In between, another connection
 * opens a transaction, which gets the session if sessions are shared: poolers give the one that was used last.
 */
async function requireKept(one: pg.Client, other: pg.Client): Promise<void> {
  const token = randomBytes(8).toString('hex');
  await one.query(`SELECT set_config('${SETTING}', $1, false)`, [token]);
  await other.query('BEGIN');
  const read = one.query<{ value: string | null }>(`SELECT current_setting('${SETTING}', true) AS value`);
  read.catch(() => undefined);
  const found = await Promise.race([read, delay(READ_WITHIN_MS, undefined, { ref: false })]);
  await other.query('COMMIT');
  // Behind a pooler with one connection, the setting is there after the other transaction; the next check fails.
  const value = (found ?? (await read)).rows[0]?.value;
  if (value !== token)
    throw refused(
      one,
      `a setting made in one transaction is ${value ? 'another one' : 'gone'} in the next one of the same connection`,
      'A connection pooler in transaction mode is in between',
    );
}

async function requireHeard(one: pg.Client, other: pg.Client): Promise<void> {
  const channel = `perdure_session_${randomBytes(8).toString('hex')}`;
  const heard = new Promise<true>((resolve) => one.once('notification', () => resolve(true)));
  await one.query(`LISTEN ${channel}`);
  await other.query(`NOTIFY ${channel}`);
  // A session receives what was sent before it finished a statement.
  await one.query('SELECT 1');
  if (await Promise.race([heard, delay(HEARD_WITHIN_MS, false, { ref: false })])) return;
  throw new Error(
    `A connection to database ${one.database} on ${one.host}:${one.port} has not heard a NOTIFY within ` +
      `${HEARD_WITHIN_MS / 1_000} s. A connection pooler in transaction mode, or a Postgres that is overloaded, ` +
      'is in between: set DATABASE_URL to Postgres itself, or to a pooler in session mode',
  );
}

function refused({ database, host, port }: pg.Client, found: string, reason: string): NoSessionsError {
  return new NoSessionsError(
    `Database ${database} on ${host}:${port} cannot be used: ${found}. ${reason}. ` +
      'Set DATABASE_URL to Postgres itself, or to a pooler in session mode that passes the settings on. ' +
      'Each process has its own pools, which DATABASE_CONNECTIONS limits.',
  );
}
