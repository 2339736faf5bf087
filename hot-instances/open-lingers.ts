/** The step commits of this process that linger, woken by other processes through Postgres. */
import { randomBytes } from 'node:crypto';
import { lingerChannel } from '../store/hot-instances/linger-mark.js';
import type { Notifications } from '../store/notifications.js';
import { jobsKey } from '../store/sql/announcements.js';
import type { LingerOutcome } from './linger.js';
import { Lingers } from './lingers.js';
import { maxLingersAtOnce, type HotInstances } from './places.js';

/** Listens for commands that other processes write for instances whose commits wait in this process. */
export async function openLingers(
  { slotShare, ...limits }: HotInstances,
  cachedInstances: number | undefined,
  notifications: Notifications,
  onEnd: (outcome: LingerOutcome) => void,
): Promise<Lingers> {
  const worker = randomBytes(8).toString('hex');
  const { demand } = notifications;
  const lingers = new Lingers({
    worker,
    ...limits,
    maxAtOnce: maxLingersAtOnce(slotShare, cachedInstances),
    isPolled: (projectID, taskType) => demand.isPolled(jobsKey(projectID, taskType)),
    onEnd,
  });
  await notifications.hear(lingerChannel(worker), (workflowID) => lingers.wake(workflowID));
  return lingers;
}
