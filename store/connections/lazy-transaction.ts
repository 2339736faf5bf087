/** A transaction that begins with its first statement, so that work without statements takes no connection. */
import type { QueryResult, QueryResultRow } from 'pg';
import type { Announcement } from '../sql/announcements.js';
import type { Database, Statement, Transaction, TransactionOptions } from '../sql/database.js';

/**
 * Runs `work` in a transaction that begins with its first statement, and `settle` in the same one.
 * @param settle whether to commit the result of `work`; false rolls everything back
 * @throws what `work` or `settle` throws, after a rollback
 */
export async function inLazyTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
  settle: (transaction: Transaction, result: T) => Promise<boolean>,
): Promise<T> {
  const transaction = new LazyTransaction(database);
  let isCommitted = false;
  try {
    const result = await work(transaction);
    isCommitted = await settle(transaction, result);
    return result;
  } finally {
    await (isCommitted ? transaction.commit() : transaction.rollBack());
  }
}

/** Makes the database roll a transaction back; never leaves this file. */
class RolledBack extends Error {}

class LazyTransaction implements Transaction {
  readonly isTransaction = true;
  readonly #database: Database;
  readonly #announcements: Announcement[] = [];
  readonly #decided: Promise<void>;
  #commit!: () => void;
  #rollBack!: (reason: RolledBack) => void;
  #begun: Promise<Transaction> | undefined;
  /** The whole transaction, from its first statement to its commit or rollback. */
  #running: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#decided = new Promise((resolve, reject) => {
      this.#commit = resolve;
      this.#rollBack = reject;
    });
    // Nothing waits for the decision if no connection can be made.
    this.#decided.catch(() => undefined);
  }

  async query<Row extends QueryResultRow>(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    return (await this.#begin(typeof statement === 'string' ? undefined : statement.locks)).query<Row>(
      statement,
      values,
    );
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return (await this.#begin()).transaction(work, options);
  }

  announce(announcements: readonly Announcement[]): void {
    this.#announcements.push(...announcements);
  }

  async commit(): Promise<void> {
    this.#commit();
    await this.#running;
    this.#database.announce(this.#announcements);
  }

  /** Never throws: a transaction whose rollback fails loses its connection, which rolls it back. */
  async rollBack(): Promise<void> {
    if (this.#running === undefined) return;
    this.#rollBack(new RolledBack());
    await this.#running.catch(() => undefined);
  }

  #begin(locks?: string): Promise<Transaction> {
    this.#begun ??= new Promise((resolve, reject) => {
      this.#running = this.#database.transaction(
        (transaction) => {
          resolve(transaction);
          return this.#decided;
        },
        locks === undefined ? {} : { locks },
      );
      this.#running.catch(reject);
    });
    return this.#begun;
  }
}
