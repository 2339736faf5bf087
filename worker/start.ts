/** The Temporal worker that runs process instances. */
import type { DataConverter, WorkerDeploymentVersion } from '@temporalio/common';
import { Worker, type InjectedSinks, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { Pool } from 'pg';
import { createActivities, type ActivityContext } from '../activities/index.js';
import type { GraphCache } from '../activities/graph-cache.js';
import type { Lingers } from '../activities/lingers.js';
import { noTracer, type Tracer } from '../tracing/tracer.js';
import type { Defect } from '../engine/defect.js';
import type { HostLogSinks } from '../workflows/host-log.js';
import { environmentProblem } from './environment.js';

export interface InstanceWorkerOptions {
  /** Shared with the client that starts instances, so that eager starts work. */
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** With it the worker takes what Temporal routes to this build, and nothing before the build has been made current or is ramped. */
  deployment?: WorkerDeploymentVersion | undefined;
  /** How many instances stay in memory between their workflow tasks; the SDK's number by the size of the heap else. */
  cachedInstances?: number | undefined;
  store: Pool;
  graphs: GraphCache;
  /** The client's too. */
  dataConverter?: DataConverter;
  tracer?: Tracer;
  /** Step commits that wait for the next command of their instance; undefined where none do. */
  lingers?: Lingers | undefined;
  onPark?: ActivityContext['onPark'];
  onFailure?: ActivityContext['onFailure'];
  /** Told when the interpreter has thrown: the instance stands at an incident. */
  onDefect?(found: { workflowID: string; defect: Defect }): void;
  /** Told when a replay has other facts than were written: the instance stands until a build computes those. */
  onFactsDiffer?(differing: { workflowID: string; park: number; difference: string }): void;
  /** The bundle that `npm run build` makes of `workflows/`. */
  bundlePath: string;
  /** Settings of the Temporal worker in place of ours. */
  tuning?: Partial<WorkerOptions>;
}

export interface InstanceWorker {
  /** Settles when the worker has stopped: rejects when it stopped by itself. */
  readonly ended: Promise<void>;
  /** Whether it takes work. */
  isRunning(): boolean;
  /** How many instances are in memory. */
  cachedInstances(): number;
  /** Takes no new work, lets work in progress end for up to ten seconds, then cuts it off. */
  stop(): Promise<void>;
}

/** How many workflow tasks a worker takes at once. */
export const WORKFLOW_TASK_SLOTS = 100;
/** A commit that lingers keeps its slot; each workflow task has one activity at a time, but for 16 decisions. */
const LOCAL_ACTIVITY_SLOTS = 250;

/**
 * How a worker of instances takes workflow tasks. With the SDK's room for 40 a burst of starts goes through the task queue, and two of
 * its ten pollers take what no worker has in its cache (starts, what dead workers had): with 16 callers half as many instances
 * a second, each some seconds late, on machines that had time.
 */
export const workflowTaskOptions: Partial<WorkerOptions> = {
  maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASK_SLOTS,
  workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 20 },
  nonStickyToStickyPollRatio: 0.5,
};

/** What the worker of an instance cannot finish within it is done again elsewhere. */
const SHUTDOWN_GRACE = '10s';

/**
 * Starts it.
 * @throws when the process's time zone or locale would change results, the bundle is missing, or Temporal does not answer
 */
export async function startInstanceWorker(options: InstanceWorkerOptions): Promise<InstanceWorker> {
  const problem = environmentProblem();
  if (problem) throw new Error(problem);
  const { connection, namespace, taskQueue, deployment, cachedInstances, dataConverter, store, graphs, tracer = noTracer, lingers, onPark, onFailure, onDefect, onFactsDiffer, bundlePath, tuning } = options;
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { codePath: bundlePath },
    ...(dataConverter && { dataConverter }),
    // Instances live for months: they go on with whichever build is current (ADR 36).
    ...(deployment && { workerDeploymentOptions: { version: deployment, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' } }),
    ...(cachedInstances !== undefined && { maxCachedWorkflows: cachedInstances }),
    activities: createActivities({ store, graphs, tracer, lingers, ...(onPark && { onPark }), ...(onFailure && { onFailure }) }),
    sinks: {
      hostLog: {
        defect: { fn: ({ workflowId }, defect) => onDefect?.({ workflowID: workflowId, defect }) },
        factsDiffer: { fn: ({ workflowId }, park, difference) => onFactsDiffer?.({ workflowID: workflowId, park, difference }), callDuringReplay: true },
      },
    } satisfies InjectedSinks<HostLogSinks>,
    ...workflowTaskOptions,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITY_SLOTS,
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_GRACE,
    // The only regular activities are those of migrations of many instances.
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 2 },
    ...tuning,
  });
  const ended = worker.run();
  return {
    ended,
    isRunning: () => worker.getState() === 'RUNNING',
    cachedInstances: () => worker.getStatus().numCachedWorkflows,
    async stop() {
      lingers?.close();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      // Why it ended is for those who watch `ended`.
      await ended.catch(() => undefined);
    },
  };
}
