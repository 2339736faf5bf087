/** The step commits of this process that wait for the next command of their instance. */
import { randomBytes } from 'node:crypto';
import { Lingers, type LingerOutcome } from '../activities/lingers.js';
import { jobsKey } from '../store/sql/announcements.js';
import { lingerChannel } from '../store/steps/lingers.js';
import type { Notifications } from '../store/notifications.js';
import { WORKFLOW_TASK_SLOTS } from './temporal-worker.js';

export interface HotInstances {
  /** The longest wait, in milliseconds. */
  longestMs: number;
  /** The share of workflow task slots that may be waiting. */
  slotShare: number;
}

/** Listens for commands that other processes write for instances whose commits wait in this process. */
export async function openLingers(
  { longestMs, slotShare }: HotInstances,
  notifications: Notifications,
  onEnd: (outcome: LingerOutcome) => void,
): Promise<Lingers> {
  const worker = randomBytes(8).toString('hex');
  const lingers = new Lingers({
    worker,
    longestMs,
    mostAtOnce: Math.floor(WORKFLOW_TASK_SLOTS * slotShare),
    isPolled: (projectID, taskType) => notifications.demand.isPolled(jobsKey(projectID, taskType)),
    onEnd,
  });
  await notifications.hear(lingerChannel(worker), (workflowID) => lingers.wake(workflowID));
  return lingers;
}
