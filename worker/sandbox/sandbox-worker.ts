/** A worker of Temporal's SDK whose workflows run in Perdure's own thread. */
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { WorkflowSandbox } from './workflow-sandbox.js';

const threadFile = new URL('./workflow-thread.js', import.meta.url);

/**
 * Creates the worker and its thread.
 * @param file the compiled thread, for callers that run from sources
 * @throws if the bundle cannot be loaded, or Temporal does not respond; no thread remains
 */
export async function createSandboxWorker(options: WorkerOptions, file = threadFile): Promise<Worker> {
  let sandbox: WorkflowSandbox | undefined;
  class SandboxWorker extends Worker {
    protected static override async createWorkflowCreator(
      ...[bundle, { activities }]: Parameters<(typeof Worker)['createWorkflowCreator']>
    ): Promise<WorkflowSandbox> {
      sandbox = await WorkflowSandbox.start(file, { bundle, activityNames: new Set(activities.keys()) });
      return sandbox;
    }
  }
  try {
    return await SandboxWorker.create(options);
  } catch (error) {
    await sandbox?.destroy();
    throw error;
  }
}
