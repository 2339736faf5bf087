/** Makes workflows consistent with the rows. The rows are what clients have seen, so they do not change. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { heldCommands } from '@perdure/engine/state/element-data.js';
import { offerCommandsAgain, offerStartAgain } from '../../../store/instances/outbox.js';
import { hasEnded } from '../../../store/instances/instances.js';
import { readInstanceSnapshot } from '../../../store/steps/instance-snapshot.js';
import { runsWithPayloads, storedByResync } from '../../../store/steps/stored-payloads.js';
import type { TemporalInstances } from '../../../temporal/instances.js';
import type { Database } from '../../../store/sql/database.js';

const OTHER_MOMENT = 'Postgres and Temporal had diverged: resync';

/**
 * Restarts the workflow of an instance from its rows, and terminates the existing one. The workflow of an ended
 * instance completes at once.
 * @returns a description of the repair
 */
export async function startAgain(store: Database, instances: TemporalInstances, workflowID: string): Promise<string> {
  const snapshot = await readInstanceSnapshot(store, workflowID);
  if (!snapshot) return startFromTheBeginning(store, instances, workflowID);
  const { instance, state, stepNumber } = snapshot;
  // Work that a pause has deferred belongs to the first step after it.
  await instances.startFrom(instance, {
    state,
    stepNumber,
    runsBefore: [...(await runsWithPayloads(store, workflowID)), storedByResync(randomUUID())],
    inbox: [],
    ...(state.deferred && { paused: true as const }),
  });
  await offerCommandsAgain(store, workflowID, { lastCommand: state.lastCommand, held: heldCommands(state) });
  // Nothing would tell the new workflow that its instance was ended while it was started.
  if (state.status === 'RUNNING' && (await hasEnded(store, workflowID))) {
    await instances.end(workflowID, OTHER_MOMENT);
    return 'ended in the meantime';
  }
  return `restarted at step ${stepNumber}`;
}

/**
 * Terminates the workflow of an instance without step commits, so that the outbox relay starts it from the beginning.
 */
async function startFromTheBeginning(
  store: Database,
  instances: TemporalInstances,
  workflowID: string,
): Promise<string> {
  await instances.end(workflowID, OTHER_MOMENT);
  return (await offerStartAgain(store, workflowID))
    ? 'its start is sent again'
    : 'its history has been removed in the meantime';
}

/** Terminates a workflow that has no running instance in Postgres. */
export async function terminate(client: Client, workflowID: string): Promise<string> {
  await client.workflow.getHandle(workflowID).terminate(OTHER_MOMENT);
  return 'terminated';
}
