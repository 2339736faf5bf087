/**
 * Lists with pages, newest first, and the filters that they are narrowed by.
 */
import type { QueryResultRow } from 'pg';
import { rows, type Queryable } from './database.js';

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
  readonly values: unknown[] = [];
  readonly #conditions: string[] = [];

  /** @param condition `?` stands for the value, wherever it occurs */
  where(condition: string, value: unknown): this {
    this.values.push(value);
    this.#conditions.push(condition.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  /** As `where`, unless the value is undefined: then the list is not narrowed by it. */
  whereGiven(condition: string, value: unknown): this {
    return value === undefined ? this : this.where(condition, value);
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
  /** Table and joins. */
  from: string;
  filter: Filter;
  /** Total order, so that pages neither overlap nor miss rows. */
  orderBy: string;
}

/**
 * One page of a list and how many rows there are in all.
 */
export async function listPage<Row extends QueryResultRow>(database: Queryable, query: ListQuery, { page, pageSize }: PageRequest): Promise<Page<Row>> {
  const { columns, from, filter, orderBy } = query;
  const { values } = filter;
  const [data, [counted]] = await Promise.all([
    rows<Row>(
      database,
      `SELECT ${columns} FROM ${from} ${filter.text} ORDER BY ${orderBy} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, pageSize, (page - 1) * pageSize],
    ),
    rows<{ total: number }>(database, `SELECT count(*)::float8 AS total FROM ${from} ${filter.text}`, values),
  ]);
  return { data, total: counted!.total };
}
