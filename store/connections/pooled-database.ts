/** A database over a pool of connections. */
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { Announcement } from '../sql/announcements.js';
import type { Database, Queryable, Statement, Transaction, TransactionOptions } from '../sql/database.js';
import { Announcer, LocalWaiters } from './announcer.js';
import { ConnectionTurns } from './connection-turns.js';
import { isUnanswered, OpenTransaction } from './open-transaction.js';

/** @param locks the id of the instance whose row the statement or transaction locks */
type Connect = (locks?: string) => Promise<PoolClient>;

/** Each statement or transaction has its own connection. */
class OnConnections implements Database {
  readonly #connect: Connect;
  readonly #announcer: Announcer;

  constructor(connect: Connect, announcer: Announcer) {
    this.#connect = connect;
    this.#announcer = announcer;
  }

  async query<Row extends QueryResultRow>(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    const connection = await this.#connect(typeof statement === 'string' ? undefined : statement.locks);
    let broken: Error | undefined;
    try {
      return await connection.query<Row>(statement as string, values);
    } catch (error) {
      // As the driver does: a new connection also prepares statements again that a migration has made invalid.
      broken = error as Error;
      throw error;
    } finally {
      connection.release(broken);
    }
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const connection = await this.#connect(options.locks);
    const transaction = new OpenTransaction(connection);
    const result = await committed(connection, options, () => work(transaction).finally(() => transaction.end()));
    // The connection is free again for those that the announcements wake.
    this.#announcer.announce(transaction.announcements);
    return result;
  }

  announce(announcements: readonly Announcement[]): void {
    this.#announcer.announce(announcements);
  }
}

export class PooledDatabase extends OnConnections {
  readonly #pool: Pool;
  readonly #announcer: Announcer;
  readonly #turns: ConnectionTurns;
  /** Hear directly what this database announces. */
  readonly waiters: LocalWaiters;

  /** @param waiters shared by all pools of a process that reach the same database */
  constructor(pool: Pool, waiters = new LocalWaiters()) {
    const announcer = new Announcer(pool, waiters);
    super(() => pool.connect(), announcer);
    this.#pool = pool;
    this.#announcer = announcer;
    this.#turns = new ConnectionTurns(pool);
    this.waiters = waiters;
    // A connection that breaks while in use fails its statement. Without a listener, its error event would end the
    // process.
    pool.on('connect', (connection) => connection.on('error', () => undefined));
  }

  /** The database for one caller: each of its statements and transactions waits for the caller's turn at the connections. */
  of(caller: string): Database {
    return new OnConnections((locks) => this.#turns.connect(caller, locks), this.#announcer);
  }

  /** The largest number of connections. */
  get maxConnections(): number {
    return this.#pool.options.max;
  }

  /**
   * Runs `work` with one connection, for locks that last longer than a transaction. If the work fails, the connection is
   * closed: Postgres may still carry out a statement that the driver has given up, and take a lock that no session releases.
   */
  async onOneConnection<T>(work: (connection: Queryable) => Promise<T>): Promise<T> {
    const connection = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      return await work(connection);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      connection.release(broken);
    }
  }

  /** Closes the connections, after the work that uses them. */
  async end(): Promise<void> {
    await this.#pool.end();
  }
}

/** Runs `work` between the beginning and the commit of a transaction, and releases the connection. */
async function committed<T>(connection: PoolClient, options: TransactionOptions, work: () => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  try {
    await connection.query(beginning(options));
    const result = await work();
    const { command } = await connection.query('COMMIT');
    if (command === 'ROLLBACK')
      throw new Error('The transaction was rolled back, because a statement in it had failed.');
    return result;
  } catch (error) {
    // An unanswered statement cannot be rolled back by another one; closing the connection does it.
    if (isUnanswered(error)) broken = error;
    else await connection.query('ROLLBACK').catch((failed: Error) => (broken = failed));
    throw error;
  } finally {
    connection.release(broken);
  }
}

/** The statements that begin a transaction, in one round trip. */
function beginning({ isSnapshot = false, statementTimeoutMilliseconds }: TransactionOptions): string {
  const begin = isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN';
  if (statementTimeoutMilliseconds === undefined) return begin;
  return `${begin}; SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(statementTimeoutMilliseconds))}`;
}
