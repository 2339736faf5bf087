/**
 * Deletes the workflows of erased instances from Temporal. An instance stays in the queue until Temporal has known none
 * of its workflows for a while, so a worker that dies, or a start that was in flight, leaves nothing behind.
 */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { errorMessage } from '@perdure/lib/error-message.js';
import { forgetErased, takeErased, type ErasedInstance } from '../../store/retention/erase.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { pause, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface ErasedWorkflows {
  store: Database;
  client: Client;
}

interface Run {
  runId: string;
  startTime: Date;
}

/** Temporal's default limit is ten list requests per second and namespace; the reconciler needs some of them. */
const PAUSE_BETWEEN_INSTANCES_MS = 250;
/** gRPC status code. */
const NOT_FOUND = 5;

/** Several processes can run it. */
export function erasedWorkflows(options: ErasedWorkflows): Chore {
  const projects = firstTurn();
  return {
    name: 'erased_workflows',
    every: 5_000,
    // Temporal may respond slowly, and the pauses are long.
    prompt: true,
    run: ({ stopping, until }) => deleteErasedWorkflows(options, stopping, until, projects),
  };
}

/**
 * One round over all instances that are due, or as many as the time allows.
 * @param until as in `performance.now()`
 * @param projects the projects that are next; moves on
 */
export async function deleteErasedWorkflows(
  { store, client }: ErasedWorkflows,
  stopping: AbortSignal,
  until = Infinity,
  projects = firstTurn(),
): Promise<'done' | 'more'> {
  while (performance.now() < until) {
    const isFromFirst = projects.after === '';
    const due = await takeErased(store, projects);
    if (due.length === 0 && isFromFirst) return 'done';
    // Taken together, they come due together, in the same order: one that always fails must not stop those after it.
    const failures: Error[] = [];
    for (const instance of due) {
      if (stopping.aborted) return 'more';
      try {
        const deleted = await deleteRuns(client, instance);
        if (deleted === 0 && instance.settled) await forgetErased(store, instance);
      } catch (cause) {
        failures.push(failureOf(instance, cause));
      }
      await pause(PAUSE_BETWEEN_INSTANCES_MS, stopping);
    }
    if (failures[0] !== undefined) throw failures[0];
  }
  return 'more';
}

function failureOf({ workflowID }: ErasedInstance, cause: unknown): Error {
  const message = `Deleting the workflows of erased instance ${workflowID} from Temporal failed: ${errorMessage(cause)}`;
  return new Error(message, { cause });
}

async function deleteRuns(client: Client, { workflowID, erasedAt, reused }: ErasedInstance): Promise<number> {
  const runs = [...(await currentRun(client, workflowID)), ...(await listedRuns(client, workflowID))];
  const erased = runs.filter(({ startTime }) => !reused || startTime < erasedAt);
  for (const runId of new Set(erased.map((run) => run.runId))) await deleteRun(client, workflowID, runId);
  return erased.length;
}

/** The list of workflows may not have it yet. */
async function currentRun(client: Client, workflowID: string): Promise<Run[]> {
  try {
    return [await client.workflow.getHandle(workflowID).describe()];
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}

async function listedRuns(client: Client, workflowID: string): Promise<Run[]> {
  const runs: Run[] = [];
  // Ids of instances have no quotes.
  for await (const run of client.workflow.list({ query: `WorkflowId = '${workflowID}'` })) runs.push(run);
  return runs;
}

async function deleteRun(client: Client, workflowId: string, runId: string): Promise<void> {
  try {
    await client.workflowService.deleteWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId, runId },
    });
  } catch (error) {
    // The list still has runs whose deletion has begun.
    if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
  }
}
