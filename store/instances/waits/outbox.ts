import { ChannelWaits } from '../../connections/channel-waits.js';
import type { Listener } from '../../connections/listener.js';

const KEY = '';

/** Waits for announcements to the outbox relay. */
export function outboxWaits(listener: Listener) {
  const waits = new ChannelWaits(listener);
  /** Counted, because the relay may be busy when the outbox is announced. */
  let announcements = 0;
  const heardBy = new WeakMap<object, number>();
  listener.add('perdure_outbox', {
    waits,
    hear() {
      announcements += 1;
      waits.wake(KEY);
    },
    onListening: () => (announcements += 1),
  });

  /** Waits until something is announced for the outbox relay, or was since the last wait of this chore. */
  return async function waitForOutbox(
    waitMilliseconds: number,
    signal?: AbortSignal,
    chore: object = waits,
  ): Promise<void> {
    const deadline = performance.now() + waitMilliseconds;
    const heard = heardBy.get(chore) ?? 0;
    await waits.lookUntil({ keys: [KEY], deadline, signal, look: async () => announcements > heard || undefined });
    heardBy.set(chore, announcements);
  };
}
