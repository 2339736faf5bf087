/** A worker of Temporal's SDK whose workflows run in Perdure's own thread. */
import { Worker } from '@temporalio/worker';
import { WorkflowSandbox } from './workflow-sandbox.js';

const threadFile = new URL('./workflow-thread.js', import.meta.url);

/** @param file the compiled thread, for callers that run from sources */
export function sandboxWorker(file = threadFile): typeof Worker {
  return class SandboxWorker extends Worker {
    protected static override async createWorkflowCreator(
      ...[bundle, { activities }]: Parameters<(typeof Worker)['createWorkflowCreator']>
    ): ReturnType<(typeof Worker)['createWorkflowCreator']> {
      return WorkflowSandbox.start(file, { bundle, activityNames: new Set(activities.keys()) });
    }
  };
}
