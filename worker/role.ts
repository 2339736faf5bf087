/** The role `worker`: runs instances, and keeps the rows and Temporal consistent. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Notifications } from '../store/notifications.js';
import type { PublicationType } from '../store/messages/correlation.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { startBatchRunner } from './batch-runner.js';
import { startOutboxRelay } from './outbox-relay.js';
import { startCleanup } from './cleanup.js';
import { startErasedWorkflows } from './erasure/erased-workflows.js';
import { startEventFeed } from './event-feed.js';
import type { HistoryRetention } from './history-retention.js';
import { pause } from './background-loop.js';
import { startRedactions } from './erasure/redactions.js';
import { startPlannerStatistics } from './planner-statistics.js';
import { startReconciler } from './reconciler.js';
import { startScheduledSuspensions } from './schedules/scheduled-suspensions.js';
import { startScheduleLoop } from './schedules/schedules.js';
import { startStatisticsFold } from './statistics-fold.js';
import { startInstanceWorker, type InstanceWorker, type InstanceWorkerOptions } from './temporal-worker.js';
import type { TemporalInstances } from '../temporal/instances.js';
import type { TemporalLink } from '../temporal/connection.js';

export interface WorkerRoleOptions {
  store: Pool;
  notifications: Notifications;
  temporal: TemporalLink;
  instances: TemporalInstances;
  worker: InstanceWorkerOptions;
  logger: Logger;
  /** Counts messages and signals whose time to live has ended. */
  onExpired(type: PublicationType, count: number): void;
  /** Receives the number of instances that diverged from their workflows. */
  onDiverged(count: number): void;
  /** Receives the number of duration targets that were missed. */
  onMissed(count: number): void;
  history: Omit<HistoryRetention, 'store'>;
}

export interface WorkerRole {
  isRunning(): boolean;
  /** Number of instances in memory. */
  cachedInstances(): number;
  reconcilerProblem(): string | undefined;
  /**
   * Takes no new work and lets work in progress finish: of instances, and of all background loops.
   */
  stop(): Promise<void>;
}

const RECONCILER_INTERVAL_MS = 10_000;
const PAUSE_BEFORE_RESTART_MS = 2_000;

/**
 * Starts the role. A workflow worker that ends unexpectedly is restarted.
 * @throws when the workflow worker cannot be started at all
 */
export async function startWorkerRole(options: WorkerRoleOptions): Promise<WorkerRole> {
  const { store, notifications, temporal, instances, logger } = options;
  const stopping = new AbortController();
  let worker = await startInstanceWorker(options.worker);
  const kept = keepRunning(worker, options, stopping.signal, (next) => (worker = next));
  const outboxRelay = startOutboxRelay({ store, notifications, instances, logger });
  const batchRunner = startBatchRunner({ store, logger });
  const statisticsFold = startStatisticsFold({ store, logger, onMissed: options.onMissed });
  const eventFeed = startEventFeed({ store, logger });
  const plannerStatistics = startPlannerStatistics({ store, logger });
  const reconciler = startReconciler({
    store,
    client: temporal.client,
    taskQueue: options.worker.taskQueue,
    logger,
    intervalMilliseconds: RECONCILER_INTERVAL_MS,
    onDiverged: options.onDiverged,
  });
  const scheduleLoop = startScheduleLoop({
    store,
    client: temporal.client,
    taskQueue: options.worker.taskQueue,
    logger,
  });
  const scheduledSuspensions = startScheduledSuspensions({ store, logger });
  const redactions = startRedactions({ store, logger });
  const erasedWorkflows = startErasedWorkflows({ store, client: temporal.client, logger });
  const cleanup = startCleanup({ store, logger, onExpired: options.onExpired, history: options.history });
  return {
    isRunning: () => worker.isRunning(),
    cachedInstances: () => worker.cachedInstances(),
    reconcilerProblem: () => reconciler.problem(),
    // In parallel: while Temporal does not respond, a pending send can take as long as the shutdown of a workflow
    // worker.
    async stop() {
      stopping.abort();
      await Promise.all([
        outboxRelay.stop(),
        batchRunner.stop(),
        statisticsFold.stop(),
        eventFeed.stop(),
        plannerStatistics.stop(),
        reconciler.stop(),
        scheduleLoop.stop(),
        scheduledSuspensions.stop(),
        redactions.stop(),
        erasedWorkflows.stop(),
        cleanup.stop(),
        worker.stop(),
      ]);
      await kept;
      // A workflow worker that was being restarted.
      await worker.stop();
    },
  };
}

async function keepRunning(
  first: InstanceWorker,
  { worker, logger }: WorkerRoleOptions,
  stopping: AbortSignal,
  onStarted: (worker: InstanceWorker) => void,
): Promise<void> {
  let current = first;
  while (!stopping.aborted) {
    const failure = await current.ended.then(() => 'ended without an error', errorMessage);
    if (stopping.aborted) return;
    logger.error({ error: failure }, 'workflow worker stopped; restarting');
    const next = await restart(worker, logger, stopping);
    if (!next) return;
    current = next;
    onStarted(next);
  }
}

async function restart(
  options: InstanceWorkerOptions,
  logger: Logger,
  stopping: AbortSignal,
): Promise<InstanceWorker | undefined> {
  while (!stopping.aborted) {
    await pause(PAUSE_BEFORE_RESTART_MS, stopping);
    if (stopping.aborted) return undefined;
    try {
      return await startInstanceWorker(options);
    } catch (error) {
      logger.error({ error: errorMessage(error) }, 'workflow worker could not be started; retrying');
    }
  }
  return undefined;
}
