import type { WorkflowService } from '@temporalio/client';

/** gRPC status code. */
const NOT_FOUND = 5;

/**
 * Has Temporal offer the next workflow tasks of the instances to every worker. It would offer them to the worker that has
 * the instance in memory, and only after ten seconds to others, which takes long if that worker was killed.
 */
export async function forgetWorker(
  { workflowService }: { workflowService: WorkflowService },
  workflowIDs: readonly string[],
): Promise<void> {
  await Promise.all(
    workflowIDs.map((workflowId) =>
      workflowService.resetStickyTaskQueue({ namespace: 'default', execution: { workflowId } }).catch(unlessItHasNone),
    ),
  );
}

function unlessItHasNone(error: unknown): void {
  if ((error as { code?: number }).code !== NOT_FOUND) throw error;
}
