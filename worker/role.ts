/** The role `worker`: runs instances, and keeps the rows and Temporal consistent. */
import type { Logger } from 'pino';
import type { Notifications } from '../store/notifications.js';
import type { PublicationType } from '../store/messages/correlation.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { pause, type Chore } from '../background/chore.js';
import { startChores, type ChoreStatus } from '../background/driver.js';
import type { HistoryRetention } from './chores/history-retention.js';
import { workerChores } from './chores/worker-chores.js';
import { createReconciler } from './reconciler/reconciler.js';
import { startInstanceWorker, type InstanceWorker, type InstanceWorkerOptions } from './temporal-worker.js';
import type { TemporalInstances } from '../temporal/instances.js';
import type { TemporalLink } from '../temporal/connection.js';
import type { PooledDatabase } from '../store/connections/pooled-database.js';

export interface WorkerRoleOptions {
  store: PooledDatabase;
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
  /** Serves callers of Nexus; undefined if the configuration names no endpoint. */
  nexus?: NexusCallers | undefined;
}

interface NexusCallers {
  readonly chore: Chore;
  start(): void;
  stop(): Promise<void>;
}

export interface WorkerRole {
  isRunning(): boolean;
  /** Number of instances in memory. */
  cachedInstances(): number;
  reconcilerProblem(): string | undefined;
  chores(): readonly ChoreStatus[];
  /** Takes no new work and lets work in progress finish: of instances, and of all background chores. */
  stop(): Promise<void>;
}

const PAUSE_BEFORE_RESTART_MS = 2_000;

/**
 * Starts the role. A workflow worker that ends unexpectedly is restarted.
 * @throws when the workflow worker cannot be started at all
 */
export async function startWorkerRole(options: WorkerRoleOptions): Promise<WorkerRole> {
  const { store, temporal, logger, nexus } = options;
  const stopping = new AbortController();
  let worker = await startInstanceWorker(options.worker);
  const kept = keepRunning(worker, options, stopping.signal, (next) => (worker = next));
  const shared = { ...options, client: temporal.client, taskQueue: options.worker.taskQueue };
  const reconciler = createReconciler(shared);
  const chores = [...workerChores(shared), ...reconciler.chores, ...(nexus ? [nexus.chore] : [])];
  nexus?.start();
  const background = startChores({ chores, logger, lanes: lanesFor(store) });
  return {
    isRunning: () => worker.isRunning(),
    cachedInstances: () => worker.cachedInstances(),
    reconcilerProblem: () => reconciler.problem(),
    chores: () => background.status(),
    // In parallel: while Temporal does not respond, a pending send can take as long as the shutdown of a workflow
    // worker.
    async stop() {
      stopping.abort();
      await Promise.all([background.stop(), worker.stop(), nexus?.stop()]);
      await kept;
      // A workflow worker that was being restarted.
      await worker.stop();
    },
  };
}

/** Chores that are not prompt leave most connections of a small pool to the others. */
function lanesFor(store: PooledDatabase): number {
  return store.maxConnections >= 8 ? 2 : 1;
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
