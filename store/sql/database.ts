/** The database as functions of the store see it, and basic helpers for queries. */
import type { QueryResult, QueryResultRow } from 'pg';
import type { Announcement } from './announcements.js';

/** A text with the values of its parameters. */
export interface Statement {
  /** Must identify exactly this text: each connection prepares the statement once. Without a name it is planned for each use. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: unknown[];
  /** The id of the instance whose row it locks. Outside of a transaction, it waits for other such statements without a connection. */
  readonly locks?: string;
}

/** Runs single statements. */
export interface Queryable {
  query<Row extends QueryResultRow = QueryResultRow>(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
}

/**
 * Statements, transactions, and announcements of what they have changed. `store/connections` has the implementations:
 * connections of a pool, an open transaction, and a transaction that begins with its first statement.
 */
export interface Database extends Queryable {
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Announces that something can be read. Returns without waiting for the delivery. In a transaction, the announcement
   * is made after the commit, and never after a rollback.
   */
  announce(announcements: readonly Announcement[]): void;
}

/**
 * One transaction: its statements see each other's changes and its locks last until its end. A transaction inside it is
 * a savepoint, so that it can fail alone.
 */
export interface Transaction extends Database {
  readonly isTransaction: true;
}

export function isTransaction(database: Database): database is Transaction {
  return 'isTransaction' in database;
}

export interface TransactionOptions {
  /** Only reads, and every statement sees the database as of the first one. */
  readonly isSnapshot?: boolean;
  /** Postgres cancels a statement that takes longer. */
  readonly statementTimeoutMilliseconds?: number;
  /** As of a statement: the id of the instance whose row it locks first. */
  readonly locks?: string;
}

/**
 * Rows of a statement that is worth preparing once per connection. Postgres also keeps the plan; `by-key.ts` explains
 * how to write conditions that cannot mislead it.
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

/** The SQLSTATE of an error of Postgres. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether Postgres canceled the statement because of its timeout. */
export function isCanceledStatement(error: unknown): boolean {
  return codeOf(error) === '57014';
}
