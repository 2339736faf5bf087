/** Deletes rows of a table page by page in the order of its primary key, so that no statement grows with the table. */
import { rows, type Queryable } from './database.js';

export interface PagedDelete {
  table: string;
  /** Columns of the primary key, in order. */
  key: readonly string[];
  /** SQL: whether to delete the row of the table. */
  condition: string;
  /** Rows that a page looks at. */
  pageSize: number;
}

/** The key of the last row of a page. */
export type KeyOfRow = readonly unknown[];

/**
 * Deletes the rows of one page that meet the condition. Rows that another transaction has locked stay for the next walk.
 * @param after the last row of the previous page; undefined begins with the first row
 * @returns the last row of the page; undefined if the table has no more
 */
export async function deletePage(
  database: Queryable,
  { table, key, condition, pageSize }: PagedDelete,
  after: KeyOfRow | undefined,
): Promise<KeyOfRow | undefined> {
  const columns = key.join(', ');
  const from = after ? `WHERE (${columns}) > (${after.map((_, index) => `$${index + 1}`).join(', ')})` : '';
  const page = await rows<{ last: unknown[]; count: number }>(
    database,
    `WITH page AS MATERIALIZED (
       SELECT ${columns} FROM ${table} ${from} ORDER BY ${columns} LIMIT ${pageSize}
     ), due AS MATERIALIZED (
       SELECT ${table}.ctid FROM page JOIN ${table} USING (${columns}) WHERE ${condition} FOR UPDATE OF ${table} SKIP LOCKED
     ), gone AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM due))
     )
     SELECT json_build_array(${columns}) AS last, (SELECT count(*)::integer FROM page) AS count
     FROM page ORDER BY ${key.map((column) => `${column} DESC`).join(', ')} LIMIT 1`,
    [...(after ?? [])],
  );
  const [found] = page;
  return found && found.count === pageSize ? found.last : undefined;
}
