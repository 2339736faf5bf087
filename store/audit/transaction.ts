/** A change and its audit entry in one transaction, for changes that do not write the entry themselves. */
import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` with a pool whose statements all belong to one transaction, which begins with the first of them.
 * Transactions inside are savepoints.
 * @param settle writes the entry before the commit; false rolls everything back
 */
export async function inOneTransaction<T>(
  pool: Pool,
  work: (pool: Pool) => Promise<T>,
  settle: (transaction: Pool, result: T) => Promise<boolean>,
): Promise<T> {
  const transaction = new LazyTransaction(pool);
  try {
    const result = await work(transaction.asPool);
    await transaction.end((await settle(transaction.asPool, result)) ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    await transaction.end('ROLLBACK');
    throw error;
  }
}

/** Statements that begin and end transactions, and their counterparts inside another transaction. */
const SAVEPOINTS: { readonly [statement: string]: string } = {
  BEGIN: 'SAVEPOINT change',
  COMMIT: 'RELEASE SAVEPOINT change',
  ROLLBACK: 'ROLLBACK TO SAVEPOINT change',
};

class LazyTransaction {
  readonly #pool: Pool;
  #begun: Promise<PoolClient> | undefined;
  /** Queries of the transaction only: nothing here listens to events of a pool, or ends one. */
  readonly asPool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
    const query = async (statement: unknown, ...values: unknown[]): Promise<unknown> => {
      const text = typeof statement === 'string' ? (SAVEPOINTS[statement] ?? statement) : statement;
      const { query: run } = await this.#begin();
      return run(text as string, ...(values as [unknown[]]));
    };
    const client = { query, release: () => undefined };
    this.asPool = { query, connect: async () => client } as unknown as Pool;
  }

  #begin(): Promise<PoolClient> {
    this.#begun ??= this.#pool.connect().then(async (client) => {
      await client.query('BEGIN');
      return { query: client.query.bind(client), release: client.release.bind(client) } as unknown as PoolClient;
    });
    return this.#begun;
  }

  /** Does nothing if nothing was asked. A connection that fails here is closed, which rolls back. */
  async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (!this.#begun) return;
    const client = await this.#begun;
    try {
      await client.query(statement);
      client.release();
    } catch (error) {
      client.release(error as Error);
      if (statement === 'COMMIT') throw error;
    }
  }
}
