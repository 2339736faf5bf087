import { ChannelWaits } from '../connections/channel-waits.js';
import type { Listener } from '../connections/listener.js';
import { matchesKey } from '../sql/announcements.js';

/** Waits for matches. All waiters of a channel would match it, so each of them wakes the next. */
export function matchWaits(listener: Listener) {
  const waits = new ChannelWaits(listener, { wokenPerLook: 1 });
  listener.add('perdure_matched', { waits, hear: (key) => waits.wake(key, 1) });

  /**
   * Waits for a match of the channel until `look` finds what it looks for.
   * @returns undefined if it has found nothing after `waitMilliseconds`
   */
  return async function awaitMatch<T>(
    channel: { projectID: string; channel: string },
    waitMilliseconds: number,
    look: () => Promise<T | undefined>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const key = matchesKey(channel);
    const deadline = performance.now() + waitMilliseconds;
    // One match can be that of many waiters, who look one after another instead of competing for the channel.
    return waits.lookUntil({ keys: [key], deadline, signal, look }).finally(() => waits.wake(key, 1));
  };
}
