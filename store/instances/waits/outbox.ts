import { ChannelWaits } from '../../connections/channel-waits.js';
import type { Listener } from '../../connections/listener.js';
import { outboxSorts, type OutboxSort } from '../../sql/announcements.js';

/** Waits for announcements to the outbox relay. */
export function outboxWaits(listener: Listener) {
  const waits = new ChannelWaits(listener);
  /** Counted, because the chore may be busy when something is announced for it. */
  const announced = new Map<string, number>(outboxSorts.map((sort) => [sort, 0]));
  const heardBy = new WeakMap<object, number>();
  const hear = (sort: string) => {
    const count = announced.get(sort);
    if (count === undefined) return;
    announced.set(sort, count + 1);
    waits.wake(sort);
  };
  listener.add('perdure_outbox', { waits, hear, onListening: () => outboxSorts.forEach(hear) });

  /** Waits until something of the sort is announced for the outbox relay, or was since the last wait of this chore. */
  return async function waitForOutbox(
    sort: OutboxSort,
    waitMilliseconds: number,
    chore: object,
    signal?: AbortSignal,
  ): Promise<void> {
    const deadline = performance.now() + waitMilliseconds;
    const count = () => announced.get(sort)!;
    const heard = heardBy.get(chore) ?? 0;
    await waits.lookUntil({ keys: [sort], deadline, signal, look: async () => count() > heard || undefined });
    heardBy.set(chore, count());
  };
}
