/** The workflow task slots of a worker: for commits that linger, and for the rest. */
import { getHeapStatistics } from 'node:v8';

export interface HotInstances {
  /** The longest wait, in milliseconds. */
  maxMs: number;
  /** The share of workflow task slots that may be waiting for results. */
  slotShare: number;
  /** The longest commit that may wait, in milliseconds (default: that of `Lingers`). */
  slowCommitMs?: number;
}

/** Maximum number of concurrent workflow tasks of a worker. */
export const WORKFLOW_TASK_SLOTS = 200;

/** Slots that never wait: for commands, timers, and other processes. */
const FREE_SLOTS = 40;

/**
 * How many step commits may wait at once. The SDK has no more slots than instances in memory.
 * @param cachedInstances maximum number of instances in memory (default: the SDK's number for the heap size)
 */
export function maxLingersAtOnce(slotShare: number, cachedInstances = defaultCachedInstances()): number {
  const slots = Math.min(WORKFLOW_TASK_SLOTS, cachedInstances);
  return Math.max(0, Math.min(Math.floor(slots * slotShare), slots - FREE_SLOTS));
}

/** As the SDK computes it (1.24, `worker-options.js`). */
function defaultCachedInstances(): number {
  const heapMiB = getHeapStatistics().heap_size_limit / (1024 * 1024);
  return Math.max(Math.floor((Math.max(heapMiB - 200, 0) * 600) / 1024), 10);
}
