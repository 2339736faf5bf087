/** The workflow task slots of a worker: for commits that linger, for first commits that wait for a place, and for the rest. */
import { getHeapStatistics } from 'node:v8';

export interface HotInstances {
  /** The longest wait, in milliseconds. */
  maxMs: number;
  /** The share of workflow task slots that may be waiting for results. */
  slotShare: number;
  /** The longest commit that may wait, in milliseconds (default: that of `Lingers`). */
  slowCommitMs?: number;
}

/** How many step commits may wait at once. */
export interface LingerPlaces {
  maxAtOnce: number;
  /** Slots in which first commits wait for a place. */
  maxAdmissions: number;
}

/** Maximum number of concurrent workflow tasks of a worker. */
export const WORKFLOW_TASK_SLOTS = 200;

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
