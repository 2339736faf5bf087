/**
 * Whose values a codec encodes. Temporal's serialization context names the workflow but not the run (SDK 1.24), so the
 * owner is kept next to it: around each activation of a workflow, and around the start of one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { asyncLocalStorage as activityContext } from '@temporalio/activity';
import type { PayloadOwner } from '../store/steps/stored-payloads.js';
import { PROCESS_INSTANCE } from '../workflows/messages.js';

/** A run as the SDK describes it. */
interface Run {
  workflowId?: string | null | undefined;
  workflowType?: string | null | undefined;
  /** A reset copies the history of a run into a new one, which keeps this id. */
  originalExecutionRunId?: string | null | undefined;
}

const owners = new AsyncLocalStorage<PayloadOwner | undefined>();
/** Of the runs in the caches of this process's workers, by run id: an activity knows only that. */
const runs = new Map<string, PayloadOwner>();

/** Encodes what `work` sends as values of `owner`. */
export function owning<T>(owner: PayloadOwner | undefined, work: () => T): T {
  return owners.run(owner, work);
}

/** The owner of what is being encoded; undefined if it belongs to no instance. */
export function payloadOwner(): PayloadOwner | undefined {
  return owners.getStore() ?? ownerOfActivity();
}

/** Undefined for workflows that are not instances: nothing would delete their values. */
export function ownerOfRun(
  runID: string,
  { workflowId: workflowID, workflowType, originalExecutionRunId }: Run,
): PayloadOwner | undefined {
  return workflowID && workflowType === PROCESS_INSTANCE
    ? { workflowID, storedBy: originalExecutionRunId || runID }
    : undefined;
}

/** Lets the activities of a run store values of this owner. */
export function noteRun(runID: string, owner: PayloadOwner | undefined): void {
  if (owner) runs.set(runID, owner);
}

export function forgetRun(runID: string): void {
  runs.delete(runID);
}

/** The result of an activity is encoded in the context of the activity. */
function ownerOfActivity(): PayloadOwner | undefined {
  const { workflowExecution, workflowType } = activityContext.getStore()?.info ?? {};
  if (!workflowExecution || workflowType !== PROCESS_INSTANCE) return undefined;
  const { workflowId: workflowID, runId } = workflowExecution;
  // A run that has left the cache in the meantime has no other name.
  return runs.get(runId) ?? { workflowID, storedBy: runId };
}
