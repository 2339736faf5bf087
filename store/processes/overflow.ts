/** Publications that start instances and found the queue of the process full: they are kept, and offered again when there is room. */
import type { Transaction } from '../sql/database.js';

/** The transaction keeps the publication. */
export async function noteOverflow(transaction: Transaction, projectID: string, processID: string): Promise<void> {
  await transaction.query(
    'UPDATE process_settings SET has_overflowed = true WHERE project_id = $1 AND process_id = $2 AND NOT has_overflowed',
    [projectID, processID],
  );
}

/**
 * SQL: whether the settings `s` have a queue with room for the publications that are kept. All of them are offered at once,
 * so a quarter of the queue must be free.
 */
export function hasRoomAgain(s: string): string {
  return `${s}.has_overflowed AND ${s}.queued <= ${s}.max_queued::bigint * 3 / 4`;
}

/** Offers them again, if the queue of the process has room. */
export async function offerOverflowed(transaction: Transaction, projectID: string, processID: string): Promise<void> {
  const { rowCount } = await transaction.query(
    `UPDATE process_settings s SET has_overflowed = false WHERE project_id = $1 AND process_id = $2 AND ${hasRoomAgain('s')}`,
    [projectID, processID],
  );
  if (rowCount === 0) return;
  await transaction.query(
    `UPDATE start_subscriptions SET match_at = now() WHERE definition_id =
       (SELECT id FROM definitions WHERE project_id = $1 AND process_id = $2 ORDER BY version DESC LIMIT 1)`,
    [projectID, processID],
  );
}
