import type { Pool } from 'pg';
import { cancelInstance } from '../store/instances/cancellation.js';

/**
 * Writes the command for a cancellation requested in Temporal; the outbox relay delivers it. If the instance accepts no
 * more commands, the request is already satisfied.
 */
export async function requestCancellation(
  store: Pool,
  canceled: { projectID: string; workflowID: string },
): Promise<void> {
  await cancelInstance(store, { ...canceled, reason: 'Canceled in Temporal', awaited: false });
}
