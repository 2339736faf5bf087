/** The Temporal workers behind Nexus: one per endpoint for its requests, and one for the workflows that wait for instances. */
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/common';
import { readResult } from '../../store/instances/result.js';
import { awaitRun } from '../../store/work/executions/runs.js';
import { nexusQueueOf, runsQueueOf } from '../temporal/configuration.js';
import { ForeignCodec } from '../temporal/foreign-codec.js';
import { KeptWorker } from '../temporal/kept-worker.js';
import type { EndOfRun, RunActivities, RunToAwait } from '../temporal/runner/run-messages.js';
import type { NexusOptions } from './options.js';
import { perdureService } from './service.js';

const SHUTDOWN_GRACE = '10s';
/** Others are read again from Temporal when they continue. */
const CACHED_WORKFLOWS = 100;
const LOOKS_AT_ONCE = 20;
const REQUESTS_AT_ONCE = 50;
const POLLERS = { type: 'simple-maximum', maximum: 3 } as const;

export function nexusWorkers(options: NexusOptions): KeptWorker[] {
  const { logger, served } = options;
  const endpoints = Object.entries(served).map(([endpoint, projectID]) => ({
    what: `worker of the Nexus endpoint ${endpoint}`,
    create: () => endpointWorker(options, endpoint, projectID),
  }));
  const runs = { what: 'worker of processes that Nexus runs', create: () => runsWorker(options) };
  return [runs, ...endpoints].map((worker) => new KeptWorker({ ...worker, logger }));
}

function endpointWorker(options: NexusOptions, endpoint: string, projectID: string): Promise<Worker> {
  return Worker.create({
    ...commonOptions(options),
    taskQueue: nexusQueueOf(endpoint),
    nexusServices: [perdureService(options, endpoint, projectID)],
    maxConcurrentNexusTaskExecutions: REQUESTS_AT_ONCE,
    nexusTaskPollerBehavior: POLLERS,
  });
}

function runsWorker(options: NexusOptions): Promise<Worker> {
  return Worker.create({
    ...commonOptions(options),
    taskQueue: runsQueueOf(options.taskQueue),
    workflowBundle: { codePath: options.bundlePath },
    activities: { ...runActivities(options) },
    maxCachedWorkflows: CACHED_WORKFLOWS,
    maxConcurrentActivityTaskExecutions: LOOKS_AT_ONCE,
  });
}

function commonOptions({ connection, namespace, encryption }: NexusOptions): Omit<WorkerOptions, 'taskQueue'> {
  return {
    connection,
    namespace,
    dataConverter: { payloadCodecs: [new ForeignCodec(encryption)] },
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_GRACE,
  };
}

function runActivities({ store, call }: NexusOptions): RunActivities {
  return {
    async lookAtRun(run) {
      // First this: an end after it is reported, and one before it is seen.
      await awaitRun(store, run.projectID, run);
      return endOf(run, await readResult(store, run));
    },
    async cancelRun({ endpoint, projectID, workflowID }) {
      const operationID = 'CancelBpmnInstance';
      const answer = await call({ endpoint, projectID, workflowID, operationID, signal: AbortSignal.timeout(15_000) });
      // Any other refusal means that it has ended, or that it ends in another way.
      if (answer.kind === 'refused' && (answer.status === 429 || answer.status >= 500))
        throw ApplicationFailure.retryable(answer.message, answer.code);
    },
  };
}

function endOf({ workflowID }: RunToAwait, result: Awaited<ReturnType<typeof readResult>>): EndOfRun | null {
  if (result === undefined) return { kind: 'gone' };
  switch (result.status) {
    case 'RUNNING':
      return null;
    case 'COMPLETED':
      return { kind: 'completed', variables: result.variables ?? {} };
    case 'FAILED':
      return { kind: 'failed', reason: result.failureReason ?? `see the history of ${workflowID}` };
    case 'CANCELED':
      return { kind: 'canceled' };
  }
}
