/** A transaction that has begun on a connection. */
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { Announcement } from '../sql/announcements.js';
import type { Statement, Transaction, TransactionOptions } from '../sql/database.js';

export class OpenTransaction implements Transaction {
  readonly isTransaction = true;
  readonly #connection: PoolClient;
  /** Made once the transaction is committed. */
  readonly announcements: Announcement[] = [];
  #hasEnded = false;
  #hasInner = false;

  constructor(connection: PoolClient) {
    this.#connection = connection;
  }

  /** @throws after the end: the connection then belongs to other work */
  async query<Row extends QueryResultRow>(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    if (this.#hasEnded) throw new Error('A statement was sent to a transaction that has ended. Await it inside.');
    return this.#connection.query<Row>(statement as string, values);
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (Object.keys(options).length > 0)
      throw new Error('A transaction inside another one cannot have options. Set them on the outer transaction.');
    if (this.#hasInner)
      throw new Error('A transaction has one inner transaction at a time. Await the first before the second begins.');
    this.#hasInner = true;
    const inner = new OpenTransaction(this.#connection);
    try {
      await this.query('SAVEPOINT inner_transaction');
      const result = await work(inner);
      await this.query('RELEASE SAVEPOINT inner_transaction');
      this.announce(inner.announcements);
      return result;
    } catch (error) {
      if (!isUnanswered(error)) {
        await this.query('ROLLBACK TO SAVEPOINT inner_transaction; RELEASE SAVEPOINT inner_transaction');
      }
      throw error;
    } finally {
      inner.end();
      this.#hasInner = false;
    }
  }

  announce(announcements: readonly Announcement[]): void {
    this.announcements.push(...announcements);
  }

  /** Refuses further statements. */
  end(): void {
    this.#hasEnded = true;
  }
}

/** Whether Postgres did not respond to a statement. The driver identifies that only by its message. */
export function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}
