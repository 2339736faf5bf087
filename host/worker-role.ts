/** The role `worker`: it runs instances, and sees to it that rows and Temporal agree. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Notifications } from '../store/notifications.js';
import type { PublicationType } from '../store/messages-correlation.js';
import { messageOf } from '../tracing/message-of.js';
import { startDispatcher } from '../worker/dispatcher.js';
import { startHousekeeper } from '../worker/housekeeper.js';
import type { HistoryRetention } from '../worker/history-retention.js';
import { pause } from '../worker/keeper.js';
import { startReconciler } from '../worker/reconciler.js';
import { startScheduleKeeper } from '../worker/schedules.js';
import { startInstanceWorker, type InstanceWorker, type InstanceWorkerOptions } from '../worker/start.js';
import type { TemporalInstances } from '../worker/temporal-instances.js';
import type { TemporalLink } from './temporal.js';

export interface WorkerRoleOptions {
  store: Pool;
  notifications: Notifications;
  temporal: TemporalLink;
  instances: TemporalInstances;
  worker: InstanceWorkerOptions;
  logger: Logger;
  /** Counts messages and signals whose time to live has ended. */
  onExpired(type: PublicationType, count: number): void;
  /** Told how many instances are not of the same moment as their workflows. */
  onAdrift(count: number): void;
  history: Omit<HistoryRetention, 'store'>;
}

export interface WorkerRole {
  isRunning(): boolean;
  /** How many instances are in memory. */
  cachedInstances(): number;
  reconcilerProblem(): string | undefined;
  /** Takes nothing new and lets what is in progress end: of instances, of dispatching, scheduling, reconciling and keeping house. */
  stop(): Promise<void>;
}

const RECONCILER_INTERVAL_MS = 10_000;
const PAUSE_BEFORE_RESTART_MS = 2_000;

/**
 * Starts the role. A worker that ends by itself is started again.
 * @throws when the worker cannot be started at all
 */
export async function startWorkerRole(options: WorkerRoleOptions): Promise<WorkerRole> {
  const { store, notifications, temporal, instances, logger } = options;
  const stopping = new AbortController();
  let worker = await startInstanceWorker(options.worker);
  const kept = keepRunning(worker, options, stopping.signal, (next) => (worker = next));
  const dispatcher = startDispatcher({ store, notifications, instances, logger });
  const reconciler = startReconciler({ store, client: temporal.client, taskQueue: options.worker.taskQueue, logger, intervalMilliseconds: RECONCILER_INTERVAL_MS, onAdrift: options.onAdrift });
  const scheduleKeeper = startScheduleKeeper({ store, client: temporal.client, taskQueue: options.worker.taskQueue, logger });
  const housekeeper = startHousekeeper({ store, logger, onExpired: options.onExpired, history: options.history });
  return {
    isRunning: () => worker.isRunning(),
    cachedInstances: () => worker.cachedInstances(),
    reconcilerProblem: () => reconciler.problem(),
    // Side by side: where Temporal does not answer, what is being sent to it takes as long as a worker may.
    async stop() {
      stopping.abort();
      await Promise.all([dispatcher.stop(), reconciler.stop(), scheduleKeeper.stop(), housekeeper.stop(), worker.stop()]);
      await kept;
      // One that was just being started again.
      await worker.stop();
    },
  };
}

async function keepRunning(first: InstanceWorker, { worker, logger }: WorkerRoleOptions, stopping: AbortSignal, onStarted: (worker: InstanceWorker) => void): Promise<void> {
  let current = first;
  while (!stopping.aborted) {
    const failure = await current.ended.then(
      () => 'it ended by itself',
      messageOf,
    );
    if (stopping.aborted) return;
    logger.error({ error: failure }, 'the worker has stopped; starting it again');
    const next = await restart(worker, logger, stopping);
    if (!next) return;
    current = next;
    onStarted(next);
  }
}

async function restart(options: InstanceWorkerOptions, logger: Logger, stopping: AbortSignal): Promise<InstanceWorker | undefined> {
  while (!stopping.aborted) {
    await pause(PAUSE_BEFORE_RESTART_MS, stopping);
    if (stopping.aborted) return undefined;
    try {
      return await startInstanceWorker(options);
    } catch (error) {
      logger.error({ error: messageOf(error) }, 'the worker could not be started');
    }
  }
  return undefined;
}
