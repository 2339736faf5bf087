/**
 * SQL for conditions on rows that a named statement finds by their key. Postgres keeps the plan of such a statement as
 * long as its connection lives. While few rows are open, an index of the open ones (`WHERE status = 'RUNNING'`), or of
 * those of a project, looks as cheap as the key. A plan made then reads that whole index, even when it has grown to
 * tens of thousands of rows. These expressions match no index, so only the key remains. For the same reason both halves
 * of a key are compared with values: with a join, one half alone can look selective enough.
 */

/** @param column of type text, never null */
export function unindexed(column: string): string {
  return `(${column} || '')`;
}

export function isNull(column: string): string {
  return `num_nonnulls(${column}) = 0`;
}
