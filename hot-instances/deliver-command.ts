/** How a written command reaches its instance, and its outcome the request. */
import type { CommandMessage, CommandOutcome } from '@perdure/engine/contract/commands.js';
import { lingerAnnouncement } from '../store/hot-instances/linger-mark.js';
import type { Submitted } from '../store/instances/submit-command.js';
import type { InstanceGateway } from '../store/instances/start.js';
import type { Notifications } from '../store/notifications.js';
import type { Database } from '../store/sql/database.js';
import type { Lingers } from './lingers.js';

export interface CommandDelivery {
  readonly store: Database;
  readonly instances: Pick<InstanceGateway, 'deliver'>;
  readonly notifications: Pick<Notifications, 'awaitOutcome'>;
}

/**
 * Delivers a written command and waits for its outcome.
 * @returns undefined if the outcome is unknown after `waitMilliseconds`, or the command waits for a resume
 */
export async function deliverAndAwait(
  { store, instances, notifications }: CommandDelivery,
  { workflowID, command, waitsForResume, isNew, delivery }: Submitted,
  waitMilliseconds: number,
): Promise<CommandOutcome | undefined> {
  // Listen before signaling: the outcome can arrive before the signal call returns.
  const listening = notifications.awaitOutcome(
    store,
    workflowID,
    command.number,
    waitsForResume ? 0 : waitMilliseconds,
    isNew,
  );
  // Not awaited: the outbox relay resends what does not arrive.
  void instances.deliver(workflowID, command, delivery);
  return listening;
}

/** Wakes the commit of `worker` that lingers for the instance: in memory if it is in this process, otherwise by NOTIFY. */
export function wakeCommit(
  { store, lingers }: { store: Database; lingers: Lingers | undefined },
  worker: string,
  workflowID: string,
  command: CommandMessage,
): void {
  if (worker === lingers?.worker) lingers.wake(workflowID, command);
  else store.announce([lingerAnnouncement(worker, workflowID)]);
}
