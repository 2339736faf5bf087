/** Waiting for the end of an instance, however long it takes. */
import { unwrap, type PerdureClient } from './client.js';
import type { Schemas } from './schema.js';

export interface AwaitedInstance {
  projectID: string;
  workflowID: string;
  /** Names of the variables to return (default: all). */
  fetchVariables?: readonly string[];
  signal?: AbortSignal;
}

/** The longest wait of one request. */
const MAX_WAIT_SECONDS = 60;

/**
 * Waits until the instance has ended or has an open incident, over several requests if necessary.
 * @throws ApiError when the project has no such instance, or the account must not read it
 * @throws the reason of `signal` when it is aborted
 */
export async function awaitResult(
  client: PerdureClient,
  { projectID, workflowID, fetchVariables, signal }: AwaitedInstance,
): Promise<Schemas['InstanceResult']> {
  for (;;) {
    const result = await unwrap<Schemas['InstanceResult']>(
      client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/result', {
        params: {
          path: { projectID, workflowID },
          query: fetchVariables && { fetchVariables: fetchVariables.join(',') },
          header: { Prefer: `wait=${MAX_WAIT_SECONDS}` },
        },
        signal: signal ?? null,
      }),
    );
    if (!isRunning(result)) return result;
  }
}

/** Whether the instance has neither ended nor an open incident. */
function isRunning({ status, incidents = [] }: Schemas['InstanceResult']): boolean {
  return status === 'RUNNING' && incidents.length === 0;
}
