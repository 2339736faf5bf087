import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import { ChannelWaits } from '../../connections/channel-waits.js';
import type { Listener } from '../../connections/listener.js';
import { readOutcomeAnnouncement } from '../../sql/announcements.js';
import type { Database } from '../../sql/database.js';
import { readOutcome } from '../commands.js';

/** Waits for the outcomes of commands. */
export function outcomeWaits(listener: Listener) {
  const waits = new ChannelWaits(listener);
  const hear = (payload: string) => {
    const { command, isApplied } = readOutcomeAnnouncement(payload);
    waits.wake(command, Infinity, isApplied);
  };
  listener.add('perdure_outcome', {
    waits,
    hear,
    // An outcome has one waiter.
    take(announcement) {
      if (waits.count(readOutcomeAnnouncement(announcement.payload).command) === 0) return announcement;
      hear(announcement.payload);
      return undefined;
    },
  });

  /**
   * Waits for the outcome of a command.
   * @param store reads the outcome
   * @param isNew whether the instance has not been signaled yet
   * @param signal ends the waiting
   * @returns undefined if the outcome is unknown after `waitMilliseconds`
   */
  return async function awaitOutcome(
    store: Database,
    workflowID: string,
    number: number,
    waitMilliseconds: number,
    isNew = false,
    signal?: AbortSignal,
  ): Promise<CommandOutcome | undefined> {
    return waits.lookUntil({
      keys: [`${workflowID} ${number}`],
      deadline: performance.now() + waitMilliseconds,
      signal,
      look: () => readOutcome(store, workflowID, number),
      isNew,
      announced: { number, status: 'APPLIED' },
    });
  };
}
