/** Messages between the process and the thread that runs its workflows. */
import type { coresdk } from '@temporalio/proto';
import type { SinkCall } from '@temporalio/workflow';
import type { WorkflowCreateOptions } from '@temporalio/worker/lib/workflow/interface.js';
import type { WorkflowBundleWithSourceMapAndFilename } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js';

/** Start data of the thread. */
export interface ThreadData {
  bundle: WorkflowBundleWithSourceMapAndFilename;
  /** Names of the activities that workflows can call. */
  activityNames: ReadonlySet<string>;
}

/** Without functions, which no message can carry; the thread sets them again. */
export type SandboxedWorkflowOptions = Omit<WorkflowCreateOptions, 'info'> & {
  info: Omit<WorkflowCreateOptions['info'], 'unsafe'> & {
    unsafe: Omit<WorkflowCreateOptions['info']['unsafe'], 'now' | 'random'>;
  };
};

export type ThreadRequest =
  | {
      kind: 'activate';
      id: number;
      runID: string;
      /** Creates the workflow first. */
      create?: SandboxedWorkflowOptions | undefined;
      activation: coresdk.workflow_activation.IWorkflowActivation;
    }
  /** Not answered. */
  | { kind: 'dispose'; runID: string };

/** The answer to an activation, with what the workflow has sent to sinks, whether it failed or not. */
export interface Activated {
  id: number;
  sinkCalls: SinkCall[];
  completion?: coresdk.workflow_completion.IWorkflowActivationCompletion;
  error?: { name: string; message: string; stack?: string | undefined };
}

/** The id of the first answer: the bundle is loaded. */
export const LOADED = 0;
