/**
 * The few words that every query is made of.
 */
import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** A pool, or the one connection of a transaction. */
export type Queryable = Pool | PoolClient;

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws.
 * @param begin statements that begin it, in one round trip
 */
export async function inTransaction<T>(pool: Pool, work: (transaction: PoolClient) => Promise<T>, begin = 'BEGIN'): Promise<T> {
  const transaction = await pool.connect();
  let broken: Error | undefined;
  try {
    await transaction.query(begin);
    const result = await work(transaction);
    await transaction.query('COMMIT');
    return result;
  } catch (error) {
    // What is not answered is not rolled back by asking: closing the connection does it.
    if (isUnanswered(error)) broken = error;
    else await transaction.query('ROLLBACK').catch((failed: Error) => (broken = failed));
    throw error;
  } finally {
    transaction.release(broken);
  }
}

/** The driver has only the message to say that the time for an answer is over. */
function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/**
 * Rows of a statement that is worth preparing once per connection: `name` stands for exactly this text. Without a name it is
 * planned for this one time. Postgres keeps its
 * plan as well; `by-key.ts` says how to write conditions that it may not be misled by.
 */
export async function preparedRows<Row extends QueryResultRow>(
  database: Queryable,
  name: string | undefined,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await database.query<Row>({ name, text, values })).rows;
}

export async function rows<Row extends QueryResultRow>(database: Queryable, text: string, values: unknown[]): Promise<Row[]> {
  return (await database.query<Row>(text, values)).rows;
}

/** The only row; undefined when there is none. */
export async function firstRow<Row extends QueryResultRow>(
  database: Queryable,
  text: string,
  values: unknown[],
): Promise<Row | undefined> {
  return (await database.query<Row>(text, values)).rows[0];
}
