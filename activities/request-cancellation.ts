import type { Pool } from 'pg';
import { cancelInstance } from '../store/cancellation.js';

/**
 * Writes the command that a cancellation asked for in Temporal stands for; the dispatcher delivers it. An instance
 * that takes none any more has what was asked for.
 */
export async function requestCancellation(store: Pool, canceled: { projectID: string; workflowID: string }): Promise<void> {
  await cancelInstance(store, { ...canceled, reason: 'Canceled in Temporal', awaited: false });
}
