/** The lock of the settings of a process: its admissions, and the begins of its queued instances, come one after the other. */
import type { Transaction } from '../sql/database.js';

/** A transaction that starts instances of several processes locks them in this order. */
export async function lockSettings(
  transaction: Transaction,
  projectID: string,
  processIDs: readonly string[],
): Promise<void> {
  await transaction.query(
    'SELECT FROM process_settings WHERE project_id = $1 AND process_id = ANY($2::text[]) ORDER BY process_id FOR NO KEY UPDATE',
    [projectID, processIDs],
  );
}
