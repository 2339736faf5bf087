/** The lock of changes that a project and its deletion must not make at the same time. */
import { firstRow, type Queryable } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';

/**
 * Locks a project whose content the transaction is about to change, so that such changes come one after the other, and
 * entirely before or entirely after its deletion.
 * @returns false if there is no such project, or if it has been deleted
 */
export async function lockProject(transaction: Queryable, id: string): Promise<boolean> {
  const found = await firstRow(
    transaction,
    'SELECT 1 FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
    [id],
  );
  return found !== undefined;
}

/** An id can be used again when nothing is left of the project that had it. */
export function beingDeleted(id: string): Refusal<'CONFLICT'> {
  return refused('CONFLICT', `Project ${id} is being deleted. Repeat the request after the deletion`);
}
