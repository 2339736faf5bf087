/** Makes workflows agree with rows. The rows are what callers have been told and stay as they are. */
import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { offerCommandsAgain, offerStartAgain } from '../../store/outbox.js';
import { readStandingInstance } from '../../store/standing-instance.js';
import type { TemporalInstances } from '../../worker/temporal-instances.js';

const OTHER_MOMENT = 'Postgres and Temporal were of different moments: realign';

/**
 * Starts the workflow of an instance again from its rows; the one there is, is terminated. That of an instance which has
 * ended comes to its end at once.
 * @returns what was done, in words
 */
export async function startAgain(store: Pool, instances: TemporalInstances, workflowID: string): Promise<string> {
  const standing = await readStandingInstance(store, workflowID);
  if (!standing) return startFromTheBeginning(store, instances, workflowID);
  const { instance, state, parkNumber } = standing;
  // What a pause has deferred is for the first step after it.
  await instances.startFrom(instance, { state, parkNumber, inbox: [], ...(state.deferred && { paused: true as const }) });
  await offerCommandsAgain(store, workflowID);
  return `started again at park ${parkNumber}`;
}

/** Terminates the workflow of an instance without parks, so that the dispatcher starts it from the beginning. */
async function startFromTheBeginning(store: Pool, instances: TemporalInstances, workflowID: string): Promise<string> {
  await instances.end(workflowID, OTHER_MOMENT);
  return (await offerStartAgain(store, workflowID)) ? 'its start is sent again' : 'its history has been removed meanwhile';
}

/** Ends a workflow that nothing in Postgres wants to run. */
export async function terminate(client: Client, workflowID: string): Promise<string> {
  await client.workflow.getHandle(workflowID).terminate(OTHER_MOMENT);
  return 'terminated';
}
