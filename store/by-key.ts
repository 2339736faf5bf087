/**
 * SQL for conditions on rows that a named statement finds by their key. Postgres keeps the plan of such a statement for as
 * long as its connection lives. When few rows are open, an index of the open ones (`WHERE status = 'RUNNING'`), or of those
 * of a project, looks as cheap as the key; a plan made then reads that whole index, and goes on doing so when tens of
 * thousands are open. No index is of these expressions, so the key is what is left. For the same reason both halves of a
 * key are compared with values: joined with a row of the statement, one half alone can look good enough.
 */

/** @param column of type text, never null */
export function unindexed(column: string): string {
  return `(${column} || '')`;
}

export function isNull(column: string): string {
  return `num_nonnulls(${column}) = 0`;
}
