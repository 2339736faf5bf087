/** The Temporal worker that runs process instances. */
import type { DataConverter, WorkerDeploymentVersion } from '@temporalio/common';
import type { InjectedSinks, NativeConnection, WorkerOptions } from '@temporalio/worker';
import { createActivities, type ActivityContext } from '../activities/index.js';
import type { GraphCache } from '../store/definitions/graph-cache.js';
import type { Lingers } from '../hot-instances/lingers.js';
import { WORKFLOW_TASK_SLOTS } from '../hot-instances/places.js';
import { noTracer, type Tracer } from '../telemetry/tracer.js';
import type { Defect } from '@perdure/engine/defect.js';
import type { HostLogSinks } from '../workflows/host-log.js';
import { environmentProblem } from './environment.js';
import { createSandboxWorker } from './sandbox/sandbox-worker.js';

export interface InstanceWorkerOptions {
  /** Shared with the client that starts instances, so that eager starts work. */
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** If set, the worker takes only tasks that Temporal routes to this build: none until the build is current or ramping. */
  deployment?: WorkerDeploymentVersion | undefined;
  /** Maximum number of instances in memory between their workflow tasks (default: the SDK's number for the heap size). */
  cachedInstances?: number | undefined;
  store: ActivityContext['store'];
  graphs: GraphCache;
  /** Must equal that of the client. */
  dataConverter?: DataConverter;
  tracer?: Tracer;
  /** Step commits that wait for the next command of their instance; undefined if commits do not wait. */
  lingers?: Lingers | undefined;
  onStepCommitted?: ActivityContext['onStepCommitted'];
  onUnstorable?: ActivityContext['onUnstorable'];
  onFailure?: ActivityContext['onFailure'];
  /** Called when the interpreter has thrown; the instance is halted with an incident. */
  onDefect?(found: { workflowID: string; defect: Defect }): void;
  /** Called when a replay computes facts that differ from the committed ones. The instance waits for a build that computes the same. */
  onFactsDiffer?(differing: { workflowID: string; step: number; difference: string }): void;
  /** The bundle that `npm run build` creates from `workflows/`. */
  bundlePath: string;
  /** The compiled `sandbox/workflow-thread.ts`, for callers that run from sources. */
  threadFile?: URL | undefined;
  /** Overrides of the settings of the Temporal worker. */
  tuning?: Partial<WorkerOptions>;
}

export interface InstanceWorker {
  /** Settles when the worker has stopped; rejects if it stopped unexpectedly. */
  readonly ended: Promise<void>;
  /** Whether the worker takes tasks. */
  isRunning(): boolean;
  /** Number of instances in memory. */
  cachedInstances(): number;
  /** Stops taking tasks, waits up to 10 s for running ones, then aborts them. */
  stop(): Promise<void>;
}

/** A lingering commit keeps its slot. Each workflow task runs one activity at a time, except for up to 16 decisions. */
const LOCAL_ACTIVITY_SLOTS = 250;

/**
 * Settings for taking workflow tasks. The SDK defaults (40 slots, 2 of 10 pollers on the normal queue) halve throughput
 * with 16 callers. Starts then lag by seconds while the CPU is idle.
 */
export const workflowTaskOptions: Partial<WorkerOptions> = {
  maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASK_SLOTS,
  workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 20 },
  nonStickyToStickyPollRatio: 0.5,
};

/** Work that takes longer is repeated by another worker. */
const SHUTDOWN_GRACE = '10s';

/**
 * Starts the Temporal worker.
 * @throws if the time zone or locale of the process would change results, the bundle is missing, or Temporal does not respond
 */
export async function startInstanceWorker(options: InstanceWorkerOptions): Promise<InstanceWorker> {
  const problem = environmentProblem();
  if (problem) throw new Error(problem);
  const worker = await createSandboxWorker(workerOptions(options), options.threadFile);
  const ended = worker.run();
  return {
    ended,
    isRunning: () => worker.getState() === 'RUNNING',
    cachedInstances: () => worker.getStatus().numCachedWorkflows,
    async stop() {
      options.lingers?.close();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      // Observers of `ended` handle the error.
      await ended.catch(() => undefined);
    },
  };
}

function workerOptions(options: InstanceWorkerOptions): Parameters<typeof createSandboxWorker>[0] {
  const { connection, namespace, taskQueue, deployment, cachedInstances, dataConverter, bundlePath, tuning } = options;
  return {
    connection,
    namespace,
    taskQueue,
    ...(dataConverter && { dataConverter }),
    // Instances live for months, so they continue with the current build (ADR 36).
    ...(deployment && {
      workerDeploymentOptions: {
        version: deployment,
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'AUTO_UPGRADE',
      },
    }),
    ...(cachedInstances !== undefined && { maxCachedWorkflows: cachedInstances }),
    activities: activitiesOf(options),
    sinks: sinksOf(options),
    ...workflowTaskOptions,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITY_SLOTS,
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_GRACE,
    // Only migrations of many instances use regular activities.
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 2 },
    ...tuning,
    workflowBundle: { codePath: bundlePath },
  };
}

function activitiesOf(options: InstanceWorkerOptions): ReturnType<typeof createActivities> {
  const { store, graphs, tracer = noTracer, lingers, onStepCommitted, onUnstorable, onFailure } = options;
  return createActivities({
    store,
    graphs,
    tracer,
    lingers,
    ...(onStepCommitted && { onStepCommitted }),
    ...(onUnstorable && { onUnstorable }),
    ...(onFailure && { onFailure }),
  });
}

function sinksOf({ onDefect, onFactsDiffer }: InstanceWorkerOptions): InjectedSinks<HostLogSinks> {
  return {
    hostLog: {
      defect: { fn: ({ workflowId }, defect) => onDefect?.({ workflowID: workflowId, defect }) },
      factsDiffer: {
        fn: ({ workflowId }, step, difference) => onFactsDiffer?.({ workflowID: workflowId, step, difference }),
        callDuringReplay: true,
      },
    },
  };
}
