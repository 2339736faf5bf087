/**
 * All rows of a list, read in chunks by a key that never changes. No statement and no connection stays open between two
 * chunks, and a row that matches the filter throughout is read exactly once.
 */
import type { QueryResultRow } from 'pg';
import { rows, type Queryable } from './database.js';
import { aliasOf, isOmitted, pageOf, valueColumns, type Filter, type ListQuery, type Order } from './page.js';

/** A chunk has at most the rows of the largest page, and ends before a row whose values a page would omit. */
const ROWS_AT_ONCE = 100;

export interface StreamQuery extends Omit<ListQuery, 'orderBy'> {
  /** Identifies a row, beginning with the time of its creation. */
  key: readonly { readonly column: string; readonly type: string }[];
}

/** Chunks of rows in the order of their creation. Those created after the stream began are left out. */
export async function* streamChunks<Row extends QueryResultRow>(
  database: Queryable,
  query: StreamQuery,
  order: Order,
): AsyncGenerator<Row[]> {
  const newest = await edgeOf(database, query);
  if (newest === undefined) return;
  let last: string[] | undefined;
  for (;;) {
    const chunk = await readChunk<Row>(database, query, order, newest, last);
    const [first] = chunk;
    if (first === undefined) return;
    last = chunk.at(-1)!.streamKey;
    yield chunk.map(({ streamKey: _key, rowsFound: _found, ...row }) => row as unknown as Row);
    if (chunk.length === first.rowsFound && chunk.length < ROWS_AT_ONCE) return;
  }
}

type Keyed<Row> = Row & {
  streamKey: string[];
  /** Rows that the chunk would have without its limit of bytes. */
  rowsFound: number;
};

async function readChunk<Row extends QueryResultRow>(
  database: Queryable,
  query: StreamQuery,
  order: Order,
  newest: string[],
  last: string[] | undefined,
): Promise<Keyed<Row>[]> {
  const { columns, table, joins = '', filter, key, values } = query;
  const chunk = filter.copy();
  chunk.whereTrue(`${tupleOf(key)} <= ${valuesOf(chunk, key, newest)}`);
  if (last) chunk.whereTrue(`${tupleOf(key)} ${order === 'asc' ? '>' : '<'} ${valuesOf(chunk, key, last)}`);
  const orderBy = inOrder(key, order);
  const part = `${chunk.text} ORDER BY ${orderBy} LIMIT ${ROWS_AT_ONCE}`;
  const selected = `SELECT ${columns}, ${keyAsText(key)} AS "streamKey"`;
  if (!values) {
    const found = await rows<Keyed<Row>>(database, `${selected} FROM ${table} ${joins} ${part}`, chunk.values);
    return found.map((row) => ({ ...row, rowsFound: found.length }));
  }
  return rows<Keyed<Row>>(
    database,
    `SELECT * FROM (
       ${selected}, ${valueColumns(values)}, count(*) OVER ()::integer AS "rowsFound", ${isOmitted(values, orderBy)} AS "isOmitted"
       FROM (${pageOf(query)} ${part}) ${aliasOf(table)} ${joins} ORDER BY ${orderBy}
     ) chunk WHERE NOT "isOmitted"`,
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
