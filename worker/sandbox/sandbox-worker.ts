/** A worker of Temporal's SDK whose workflows run in Perdure's own thread, and whose codecs know the run that they encode for. */
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { forgetRun, noteRun, ownerOfRun, owning } from '../../temporal/payload-owner.js';
import { readBundle } from './bundle.js';
import type { ThreadData } from './protocol.js';
import { WorkflowSandbox } from './workflow-sandbox.js';

const threadFile = new URL('./workflow-thread.js', import.meta.url);

/**
 * Creates the worker and its thread.
 * @param file the compiled thread, for callers that run from sources
 * @throws if the bundle cannot be loaded, or Temporal does not respond; no thread remains
 */
export async function createSandboxWorker(
  options: WorkerOptions & { workflowBundle: { codePath: string } },
  file = threadFile,
): Promise<Worker> {
  let sandbox: WorkflowSandbox | undefined;
  class SandboxWorker extends Worker {
    protected static override getOrCreateBundle(): Promise<ThreadData['bundle']> {
      return readBundle(options.workflowBundle.codePath);
    }

    protected static override async createWorkflowCreator(
      ...[bundle, { activities }]: Parameters<(typeof Worker)['createWorkflowCreator']>
    ): Promise<WorkflowSandbox> {
      sandbox = await WorkflowSandbox.start(file, { bundle, activityNames: new Set(activities.keys()) });
      return sandbox;
    }

    protected override async handleActivation(
      ...[workflow, given]: Parameters<Worker['handleActivation']>
    ): ReturnType<Worker['handleActivation']> {
      const { runId: runID, jobs, isReplaying } = given.activation;
      const begun = jobs.find(({ initializeWorkflow }) => initializeWorkflow)?.initializeWorkflow;
      const owner = ownerOfRun(runID, workflow?.info ?? begun ?? {});
      if (begun) noteRun(runID, owner);
      // The SDK takes the eviction out of the jobs.
      const isEvicted = jobs.some(({ removeFromCache }) => removeFromCache);
      // The server has what a replay sends, which is discarded.
      try {
        return await owning(isReplaying ? undefined : owner, () => super.handleActivation(workflow, given));
      } finally {
        if (isEvicted) forgetRun(runID);
      }
    }
  }
  try {
    return await SandboxWorker.create(options);
  } catch (error) {
    await sandbox?.destroy();
    throw error;
  }
}
