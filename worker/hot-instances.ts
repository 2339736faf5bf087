/** The step commits of this process that wait for the next command of their instance. */
import { randomBytes } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { Lingers, type LingerOutcome } from '../activities/lingers.js';
import { jobsKey } from '../store/sql/announcements.js';
import { lingerChannel } from '../store/steps/lingers.js';
import type { Notifications } from '../store/notifications.js';
import { WORKFLOW_TASK_SLOTS } from './temporal-worker.js';

export interface HotInstances {
  /** The longest wait, in milliseconds. */
  maxMs: number;
  /** The share of workflow task slots that may be waiting for results. */
  slotShare: number;
}

/** How many step commits may wait at once. */
export interface LingerPlaces {
  maxAtOnce: number;
  /** Slots in which first commits wait for a place. */
  maxAdmissions: number;
}

const MAX_ADMISSIONS = 100;
/** Slots that never wait: for commands, timers, and other processes. */
const FREE_SLOTS = 40;

/**
 * Divides the slots of the worker. The SDK has no more slots than instances in memory.
 * @param cachedInstances maximum number of instances in memory (default: the SDK's number for the heap size)
 */
export function lingerPlaces(slotShare: number, cachedInstances = defaultCachedInstances()): LingerPlaces {
  const slots = Math.min(WORKFLOW_TASK_SLOTS, cachedInstances);
  const maxAtOnce = Math.max(0, Math.min(Math.floor(slots * slotShare), slots - FREE_SLOTS));
  return { maxAtOnce, maxAdmissions: Math.max(0, Math.min(MAX_ADMISSIONS, slots - maxAtOnce - FREE_SLOTS)) };
}

/** As the SDK computes it (1.24, `worker-options.js`). */
function defaultCachedInstances(): number {
  const heapMiB = getHeapStatistics().heap_size_limit / (1024 * 1024);
  return Math.max(Math.floor((Math.max(heapMiB - 200, 0) * 600) / 1024), 10);
}

/** Listens for commands that other processes write for instances whose commits wait in this process. */
export async function openLingers(
  { maxMs, slotShare }: HotInstances,
  cachedInstances: number | undefined,
  notifications: Notifications,
  onEnd: (outcome: LingerOutcome) => void,
): Promise<Lingers> {
  const worker = randomBytes(8).toString('hex');
  const { demand } = notifications;
  const lingers = new Lingers({
    worker,
    maxMs,
    ...lingerPlaces(slotShare, cachedInstances),
    isPolled: (projectID, taskType) => demand.isPolled(jobsKey(projectID, taskType)),
    isBacklogged: (projectID, taskType) => demand.isBacklogged(jobsKey(projectID, taskType)),
    onEnd,
  });
  await notifications.hear(lingerChannel(worker), (workflowID) => lingers.wake(workflowID));
  return lingers;
}
