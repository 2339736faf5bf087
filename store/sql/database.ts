/** Basic helpers for queries. */
import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** A pool, or the one connection of a transaction. */
export type Queryable = Pool | PoolClient;

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws.
 * @param begin statements that start it, in one round trip
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (transaction: PoolClient) => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  const transaction = await pool.connect();
  let broken: Error | undefined;
  try {
    await transaction.query(begin);
    const result = await work(transaction);
    await transaction.query('COMMIT');
    return result;
  } catch (error) {
    // An unanswered statement cannot be rolled back by another one; closing the connection does it.
    if (isUnanswered(error)) broken = error;
    else await transaction.query('ROLLBACK').catch((failed: Error) => (broken = failed));
    throw error;
  } finally {
    transaction.release(broken);
  }
}

/** The driver identifies a timeout only by its message. */
function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/**
 * Rows of a statement that is worth preparing once per connection: `name` must identify exactly this text. Without a
 * name the statement is planned for each use. Postgres also keeps the plan; `by-key.ts` explains how to write
 * conditions that cannot mislead it.
 */
export async function preparedRows<Row extends QueryResultRow>(
  database: Queryable,
  name: string | undefined,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await database.query<Row>({ name, text, values })).rows;
}

export async function rows<Row extends QueryResultRow>(
  database: Queryable,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await database.query<Row>(text, values)).rows;
}

/** The only row; undefined if none exists. */
export async function firstRow<Row extends QueryResultRow>(
  database: Queryable,
  text: string,
  values: unknown[],
): Promise<Row | undefined> {
  return (await database.query<Row>(text, values)).rows[0];
}
