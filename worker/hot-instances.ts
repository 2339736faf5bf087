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
  /** The share of workflow task slots that may be waiting for results. */
  slotShare: number;
}

/** Slots in which first commits wait for a place. */
const MOST_ADMISSIONS = 100;
/** Slots that never wait: for commands, timers, and other processes. */
const FREE_SLOTS = 40;

/** Listens for commands that other processes write for instances whose commits wait in this process. */
export async function openLingers(
  { longestMs, slotShare }: HotInstances,
  notifications: Notifications,
  onEnd: (outcome: LingerOutcome) => void,
): Promise<Lingers> {
  const worker = randomBytes(8).toString('hex');
  const { demand } = notifications;
  const mostAtOnce = Math.floor(WORKFLOW_TASK_SLOTS * slotShare);
  const lingers = new Lingers({
    worker,
    longestMs,
    mostAtOnce,
    mostAdmissions: Math.max(0, Math.min(MOST_ADMISSIONS, WORKFLOW_TASK_SLOTS - mostAtOnce - FREE_SLOTS)),
    isPolled: (projectID, taskType) => demand.isPolled(jobsKey(projectID, taskType)),
    isBacklogged: (projectID, taskType) => demand.isBacklogged(jobsKey(projectID, taskType)),
    onEnd,
  });
  await notifications.hear(lingerChannel(worker), (workflowID) => lingers.wake(workflowID));
  return lingers;
}
