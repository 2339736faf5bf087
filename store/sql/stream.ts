/**
 * All rows of a list, read in chunks by a key that never changes. No statement and no connection stays open between two
 * chunks, and a row that matches the filter throughout is read exactly once.
 */
import type { QueryResultRow } from 'pg';
import { rows, type Queryable } from './database.js';
import type { Filter, ListQuery, Order } from './page.js';

/** A chunk is as large as the largest page: rows can hold all variables of an instance. */
const ROWS_AT_ONCE = 100;

export interface StreamQuery extends Omit<ListQuery, 'orderBy'> {
  /** Identifies a row, beginning with the time of its creation. */
  key: readonly { readonly column: string; readonly type: string }[];
}

/** Rows in the order of their creation. Those created after the stream began are left out. */
export async function* streamRows<Row extends QueryResultRow>(
  database: Queryable,
  query: StreamQuery,
  order: Order,
): AsyncGenerator<Row> {
  const newest = await edgeOf(database, query);
  if (newest === undefined) return;
  let last: string[] | undefined;
  for (;;) {
    const chunk = await readChunk<Row>(database, query, order, newest, last);
    for (const { streamKey: _, ...row } of chunk) yield row as unknown as Row;
    if (chunk.length < ROWS_AT_ONCE) return;
    last = chunk.at(-1)!.streamKey;
  }
}

type Keyed<Row> = Row & { streamKey: string[] };

async function readChunk<Row extends QueryResultRow>(
  database: Queryable,
  query: StreamQuery,
  order: Order,
  newest: string[],
  last: string[] | undefined,
): Promise<Keyed<Row>[]> {
  const { columns, table, joins = '', filter, key } = query;
  const chunk = filter.copy();
  chunk.whereTrue(`${tupleOf(key)} <= ${valuesOf(chunk, key, newest)}`);
  if (last) chunk.whereTrue(`${tupleOf(key)} ${order === 'asc' ? '>' : '<'} ${valuesOf(chunk, key, last)}`);
  return rows<Keyed<Row>>(
    database,
    `SELECT ${columns}, ${keyAsText(key)} AS "streamKey" FROM ${table} ${joins} ${chunk.text}
     ORDER BY ${inOrder(key, order)} LIMIT ${ROWS_AT_ONCE}`,
    chunk.values,
  );
}

/** The key of the newest row. Clocks of hosts differ, so the time of Postgres would not do. */
async function edgeOf(
  database: Queryable,
  { table, joins = '', filter, key }: StreamQuery,
): Promise<string[] | undefined> {
  const [found] = await rows<{ streamKey: string[] }>(
    database,
    `SELECT ${keyAsText(key)} AS "streamKey" FROM ${table} ${filter.usesJoins ? joins : ''} ${filter.text} ORDER BY ${inOrder(key, 'desc')} LIMIT 1`,
    filter.values,
  );
  return found?.streamKey;
}

/** As text, because a JavaScript date has no microseconds. */
function keyAsText(key: StreamQuery['key']): string {
  return `ARRAY[${key.map(({ column }) => `${column}::text`).join(', ')}]`;
}

function tupleOf(key: StreamQuery['key']): string {
  return `(${key.map(({ column }) => column).join(', ')})`;
}

function valuesOf(filter: Filter, key: StreamQuery['key'], values: string[]): string {
  return `(${key.map(({ type }, index) => `${filter.placeholder(values[index])}::${type}`).join(', ')})`;
}

function inOrder(key: StreamQuery['key'], order: Order): string {
  return key.map(({ column }) => `${column} ${order.toUpperCase()}`).join(', ');
}
