/** Deletes a limited number of rows, so that no transaction grows with the table. */
import type { Transaction } from '../sql/database.js';

/**
 * @param where SQL: which rows, with the parameter $1
 * @param most maximum number of rows
 * @returns how many rows were deleted
 */
export async function deleteRows(
  transaction: Transaction,
  { table, where, value, most }: { table: string; where: string; value: unknown; most: number },
): Promise<number> {
  const { rowCount } = await transaction.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE ${where} LIMIT $2))`,
    [value, most],
  );
  return rowCount ?? 0;
}

/** SQL for `deleteRows`: the rows of the instances with these workflow ids. */
export const ofInstances = 'workflow_id = ANY ($1::text[])';
