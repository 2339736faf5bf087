/**
 * Deleting a publication that is still open. Matches happen under the lock of the channel, so that no instance receives
 * the publication after its deletion.
 */
import { firstRow, type Database, type Transaction } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';
import type { PublicationType } from '../messages/correlation.js';
import { recordEnd } from './ended-publications.js';
import { lockChannel } from '../messages/matching.js';
import { testProjectOf } from '../projects/tests.js';
import { findPublication, isExpired } from './publications.js';

/** Deletes it; doing so again changes nothing. A signal stays delivered to those that it was given to before. */
export async function deletePublication(
  database: Database,
  projectID: string,
  publicationID: string,
): Promise<{ kind: 'deleted' } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    const open = await firstRow<{ projectID: string; type: PublicationType; channel: string }>(
      transaction,
      'SELECT project_id AS "projectID", type, channel FROM publications WHERE id = $1 AND project_id = ANY($2)',
      [publicationID, [projectID, testProjectOf(projectID)]],
    );
    if (open) {
      await lockChannel(transaction, open, true);
      if (await remove(transaction, open.type, publicationID)) return { kind: 'deleted' };
    }
    const found = await findPublication(transaction, projectID, publicationID);
    if (!found) return refused('NOT_FOUND', `There is no publication ${publicationID} in this project`);
    if (found.state === 'DELETED') return { kind: 'deleted' };
    return refused('CONFLICT', `Publication ${publicationID} is ${found.state} and can no longer be deleted`);
  });
}

async function remove(transaction: Transaction, type: PublicationType, publicationID: string): Promise<boolean> {
  const isOpen = `id = $1 AND claimed_by IS NULL AND NOT ${isExpired('publications')}`;
  // A signal may have reached a million instances: cleanup removes the record of whom. Until then it matches nothing.
  const { rowCount } = await transaction.query(
    type === 'message'
      ? `WITH gone AS (DELETE FROM publications WHERE ${isOpen} RETURNING *) ${recordEnd({ from: 'gone p', state: 'DELETED' })}`
      : `WITH due AS MATERIALIZED (SELECT * FROM publications WHERE ${isOpen} AND expires_at > '-infinity' FOR UPDATE), retired AS (
           UPDATE publications SET expires_at = '-infinity', match_at = NULL, deferred_for = '{}' WHERE id IN (SELECT id FROM due)
         ) ${recordEnd({ from: 'due p', state: 'DELETED' })}`,
    [publicationID],
  );
  return rowCount === 1;
}
