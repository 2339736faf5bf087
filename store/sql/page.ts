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
  /** Rows are counted up to `MAX_COUNTED`; a larger total can be an estimate. */
  isTotalEstimate?: true;
}

export const MAX_COUNTED = 10_000;

/**
 * Bytes of values after which a page and a chunk of a stream have no more of them. The row that exceeds them is complete,
 * so that each page has a complete row.
 */
export const ENOUGH_BYTES = 4 * 1024 * 1024;

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

/** Values in the rows of a list that can be large, written by users: SQL expressions by member. */
export type RowValues = Readonly<Record<string, string>>;

/** A row of a list with `values`. */
export interface Omission {
  /** Its values are null, because the page would be too large. */
  isOmitted: boolean;
}

export interface ListQuery {
  columns: string;
  /** Left out of the rows after `ENOUGH_BYTES` of them. The list is of one table, with an alias. */
  values?: RowValues;
  table: string;
  /** Joins that neither add nor remove rows. */
  joins?: string;
  filter: Filter;
  /** Total order, so that pages neither overlap nor miss rows. */
  orderBy: string;
  /** Whether so few rows match that they can be sorted. */
  isSmall?: boolean;
}

/** One page of a list and the total number of rows. */
export async function listPage<Row extends QueryResultRow>(
  database: Queryable,
  query: ListQuery,
  page: PageRequest,
): Promise<Page<Row>> {
  return readCounted(database, query, page, (isSmall) =>
    readRows<Row>(database, { ...query, isSmall }, page.pageSize, offsetOf(page)),
  );
}

/** @param read reads the page; it gets whether few rows match */
export async function readCounted<Row>(
  database: Queryable,
  query: Omit<ListQuery, 'orderBy'>,
  page: PageRequest,
  read: (isSmall: boolean) => Promise<Row[]>,
): Promise<Page<Row>> {
  const counted = await countUpTo(database, query, MAX_COUNTED + 1);
  if (counted <= MAX_COUNTED) return { data: counted > offsetOf(page) ? await read(true) : [], total: counted };
  const data = await read(false);
  const seen = offsetOf(page) + data.length;
  if (data.length > 0 && data.length < page.pageSize) return { data, total: seen };
  const least = data.length === 0 ? counted : Math.max(counted, seen);
  return { data, total: Math.max(least, await estimate(database, query)), isTotalEstimate: true };
}

export function offsetOf({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize;
}

export async function readRows<Row extends QueryResultRow>(
  database: Queryable,
  query: ListQuery,
  limit: number,
  offset: number,
): Promise<Row[]> {
  const { columns, table, joins = '', filter, orderBy, values: large } = query;
  const { text, values } = filter;
  const part = `ORDER BY ${orderBy} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
  const alias = aliasOf(table);
  const given = [...values, limit, offset];
  if (alias === undefined || (filter.usesJoins && !large))
    return rows<Row>(database, `SELECT ${columns} FROM ${table} ${joins} ${text} ${part}`, given);
  // The page comes first: Postgres would join the rows of all pages before it as well. In a further subquery with OFFSET, it
  // reads what matches, then sorts. Otherwise it may read the whole list in order, because it expects rows that match early on.
  const page =
    query.isSmall && !filter.usesJoins
      ? `SELECT * FROM (SELECT * FROM ${table} ${text} OFFSET 0) ${alias} ${part}`
      : `${pageOf(query)} ${text} ${part}`;
  const selected = large ? `${columns}, ${valuesOfPage(large, orderBy)}` : columns;
  return rows<Row>(database, `SELECT ${selected} FROM (${page}) ${alias} ${joins} ORDER BY ${orderBy}`, given);
}

/** SQL: the rows of the table, to be followed by conditions and a limit. */
export function pageOf({ table, joins = '', filter }: Omit<ListQuery, 'columns' | 'orderBy'>): string {
  return `SELECT ${aliasOf(table)}.* FROM ${table} ${filter.usesJoins ? joins : ''}`;
}

/** SQL: the values, each by its member. */
export function valueColumns(values: RowValues): string {
  return Object.entries(values)
    .map(([member, value]) => `${value} AS "${member}"`)
    .join(', ');
}

/** SQL: whether the rows before it have enough bytes of values. */
export function isOmitted(values: RowValues, orderBy: string): string {
  const before = `OVER (ORDER BY ${orderBy} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
  const bytes = Object.values(values).map((value) => `coalesce(bytes_until(${value}, ${ENOUGH_BYTES}) ${before}, 0)`);
  return `${bytes.join(' + ')} >= ${ENOUGH_BYTES}`;
}

function valuesOfPage(values: RowValues, orderBy: string): string {
  const omitted = isOmitted(values, orderBy);
  const columns = Object.entries(values).map(
    ([member, value]) => `CASE WHEN NOT (${omitted}) THEN ${value} END AS "${member}"`,
  );
  return [`${omitted} AS "isOmitted"`, ...columns].join(', ');
}

/** Of one table; undefined for a join. */
export function aliasOf(table: string): string | undefined {
  return /^\w+ (\w+)$/.exec(table)?.[1];
}

async function countUpTo(database: Queryable, query: Omit<ListQuery, 'orderBy'>, most: number): Promise<number> {
  const { values } = query.filter;
  const text = `SELECT count(*)::int AS total FROM (${matching(query)} LIMIT $${values.length + 1}) AS counted`;
  const [count] = await rows<{ total: number }>(database, text, [...values, most]);
  return count!.total;
}

/** All rows, however many there are: takes as long as reading them. */
export async function countAll(database: Queryable, query: Omit<ListQuery, 'orderBy'>): Promise<number> {
  const text = `SELECT count(*)::float8 AS total FROM (${matching(query)}) AS counted`;
  const [count] = await rows<{ total: number }>(database, text, query.filter.values);
  return count!.total;
}

/** As many rows as Postgres expects from its statistics. */
async function estimate(database: Queryable, query: Omit<ListQuery, 'orderBy'>): Promise<number> {
  const [plan] = await rows<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    database,
    `EXPLAIN (FORMAT JSON) ${matching(query)}`,
    query.filter.values,
  );
  return plan!['QUERY PLAN'][0].Plan['Plan Rows'];
}

function matching({ table, joins = '', filter }: Omit<ListQuery, 'orderBy'>): string {
  return `SELECT 1 FROM ${filter.usesJoins ? `${table} ${joins}` : table} ${filter.text}`;
}
