import { cancelWithoutWorkflow } from '../store/steps/fail-instance.js';
import { hasEnded } from '../store/instances/instances.js';
import { requestCancellation } from './request-cancellation.js';
import type { Database } from '../store/sql/database.js';

/**
 * Ends the rows of an instance by its pending cancel: what its workflow should do before cannot be done.
 * @param requested whether Temporal has requested the cancel, so that it may have no command yet
 * @returns whether the instance has ended, by this or before
 */
export async function endCanceled(
  store: Database,
  { requested, ...canceled }: { projectID: string; workflowID: string; requested: boolean },
): Promise<boolean> {
  if (requested) await requestCancellation(store, canceled);
  return (await cancelWithoutWorkflow(store, canceled.workflowID)) || (await hasEnded(store, canceled.workflowID));
}
