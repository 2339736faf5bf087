import { cancelThroughRelay } from '../store/instances/cancellation.js';
import type { Database } from '../store/sql/database.js';

/**
 * Writes the command for a cancellation requested in Temporal; the outbox relay delivers it. If the instance accepts no
 * more commands, the request is already satisfied.
 */
export async function requestCancellation(
  store: Database,
  canceled: { projectID: string; workflowID: string },
): Promise<void> {
  await store.transaction((transaction) =>
    cancelThroughRelay(transaction, { ...canceled, reason: 'Canceled in Temporal' }),
  );
}
