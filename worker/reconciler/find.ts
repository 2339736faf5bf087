/** Finding instances and workflows to compare: by walking over the running instances, and by Temporal's list. */
import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import type { Database } from '../../store/sql/database.js';
import { runningInstances, stillRunning, type RunningInstance } from '../../store/instances/instances.js';
import { PROCESS_INSTANCE } from '../../workflows/messages.js';
import { pause } from '../../background/chore.js';

/** An instance that is running in its rows, with its workflow; undefined if Temporal has none. */
export interface Compared {
  instance: RunningInstance;
  workflow: WorkflowExecutionDescription | undefined;
}

const INSTANCES_PER_PAGE = 100;
const CALLS_AT_ONCE = 10;
/** Younger instances are skipped: their start may still be in progress. */
export const YOUNGEST_MS = 10_000;
/** Temporal's default limit is ten list requests per second and namespace. */
const PAUSE_BETWEEN_LISTS_MS = 500;
const LISTED_AT_ONCE = 500;

/**
 * One page of the walk over all running instances: those whose workflow is not open.
 * @param after the number of the last instance of the previous page
 * @returns the number of compared instances, and the last of them; undefined after the last page
 */
export async function comparePage(
  store: Database,
  client: Client,
  after: number,
): Promise<{ checked: number; found: Compared[]; last: number | undefined }> {
  const page = await runningInstances(store, {
    after,
    limit: INSTANCES_PER_PAGE,
    olderThanMilliseconds: YOUNGEST_MS,
  });
  const compared = await inGroups(page, async (instance) => ({
    instance,
    workflow: await describe(client, instance.workflowID),
  }));
  const suspects = compared.filter(({ workflow }) => workflow?.status.name !== 'RUNNING');
  // The last step commit precedes the end of the workflow, so an instance that has ended in the meantime is no longer
  // running here.
  const running = await stillRunning(
    store,
    suspects.map(({ instance }) => instance.workflowID),
  );
  return {
    checked: page.length,
    found: suspects.filter(({ instance }) => running.has(instance.workflowID)),
    last: page.length < INSTANCES_PER_PAGE ? undefined : page.at(-1)!.number,
  };
}

/**
 * Running instances whose workflows Temporal lists as closed from outside after `since`, in batches.
 * @param taskQueue of the host: other workflows of the namespace are not Perdure's
 * @param since epoch milliseconds
 */
export async function* closedSince(
  { store, client, taskQueue }: { store: Database; client: Client; taskQueue: string },
  since: number,
  stopping: AbortSignal,
): AsyncGenerator<string[]> {
  const query = `WorkflowType = '${PROCESS_INSTANCE}' AND TaskQueue = '${taskQueue}'
    AND ExecutionStatus IN ('Terminated', 'TimedOut', 'Failed', 'Canceled') AND CloseTime >= '${new Date(since).toISOString()}'`;
  let listed: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query, pageSize: LISTED_AT_ONCE })) {
    if (stopping.aborted) return;
    listed.push(workflowId);
    if (listed.length < LISTED_AT_ONCE) continue;
    // Most have ended in their rows.
    yield [...(await stillRunning(store, listed))];
    listed = [];
    await pause(PAUSE_BETWEEN_LISTS_MS, stopping);
  }
  yield [...(await stillRunning(store, listed))];
}

/** The latest run, or undefined when Temporal has no such workflow. */
export async function describe(client: Client, workflowID: string): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await client.workflow.getHandle(workflowID).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

export async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += CALLS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(first, first + CALLS_AT_ONCE).map(work))));
  return results;
}
