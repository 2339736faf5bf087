/** Paged lists and their filters. */
import type { QueryResultRow } from 'pg';
import { rows, type Queryable } from './database.js';

export type Order = 'asc' | 'desc';

/** `page` counts from 1. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

export interface Page<Row> {
  data: Row[];
  /** Rows on all pages. */
  total: number;
}

/** The conditions of one query, with their values in order. */
export class Filter {
  readonly values: unknown[];
  /** Whether a condition refers to a joined table, so that counting rows needs the joins. */
  usesJoins = false;
  readonly #conditions: string[];

  constructor(values: readonly unknown[] = [], conditions: readonly string[] = []) {
    this.values = [...values];
    this.#conditions = [...conditions];
  }

  copy(): Filter {
    const copy = new Filter(this.values, this.#conditions);
    copy.usesJoins = this.usesJoins;
    return copy;
  }

  /** The placeholder of a further value. */
  placeholder(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** @param condition `?` represents the value, wherever it occurs */
  where(condition: string, value: unknown): this {
    this.#conditions.push(condition.replaceAll('?', this.placeholder(value)));
    return this;
  }

  /** Like `where`, but does nothing if the value is undefined. */
  whereGiven(condition: string, value: unknown): this {
    return value === undefined ? this : this.where(condition, value);
  }

  /** Like `whereGiven`, with a condition that refers to a joined table. */
  whereJoined(condition: string, value: unknown): this {
    if (value !== undefined) this.usesJoins = true;
    return this.whereGiven(condition, value);
  }

  /** That a column has one of the values; does nothing if they are undefined. */
  whereAny(column: string, values: readonly unknown[] | undefined): this {
    if (values === undefined) return this;
    // Partial indexes are found by a condition on one value.
    return values.length === 1 ? this.where(`${column} = ?`, values[0]) : this.where(`${column} = ANY(?)`, values);
  }

  /** A condition without a value. */
  whereTrue(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  get text(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}

export interface ListQuery {
  columns: string;
  table: string;
  /** Joins that neither add nor remove rows. */
  joins?: string;
  filter: Filter;
  /** Total order, so that pages neither overlap nor miss rows. */
  orderBy: string;
}

/** One page of a list and the total number of rows. */
export async function listPage<Row extends QueryResultRow>(
  database: Queryable,
  query: ListQuery,
  { page, pageSize }: PageRequest,
): Promise<Page<Row>> {
  const { columns, table, joins = '', filter, orderBy } = query;
  const { text, values } = filter;
  const offset = (page - 1) * pageSize;
  const data = await rows<Row>(
    database,
    `SELECT ${columns} FROM ${table} ${joins} ${text} ORDER BY ${orderBy} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, pageSize, offset],
  );
  // A page that is neither empty nor full is the last one; the first page may also be empty.
  if (data.length < pageSize && (data.length > 0 || page === 1)) return { data, total: offset + data.length };
  const counted = filter.usesJoins ? `${table} ${joins}` : table;
  const [count] = await rows<{ total: number }>(
    database,
    `SELECT count(*)::float8 AS total FROM ${counted} ${text}`,
    values,
  );
  return { data, total: count!.total };
}
