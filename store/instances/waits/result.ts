import { ChannelWaits } from '../../connections/channel-waits.js';
import type { Listener } from '../../connections/listener.js';
import type { Database } from '../../sql/database.js';
import { awaitAnnouncement, isSettled, readResult, type InstanceResult, type ResultRequest } from '../result.js';

/** Waits for the results of instances. Many requests may do so, each for a minute. */
export function resultWaits(listener: Listener) {
  const waits = new ChannelWaits(listener, { ticksPerLook: 10 });
  listener.add('perdure_result', { waits, hear: (workflowID) => waits.wake(workflowID) });

  /**
   * Waits until an instance has ended or has an open incident.
   * @param store reads the result
   * @param isNew whether the instance has not been started yet; its row then says how long its result is awaited
   * @returns the result, or the present state when the time is up; undefined if the project has no such instance
   */
  return async function awaitResult(
    store: Database,
    request: ResultRequest,
    waitMilliseconds: number,
    signal: AbortSignal,
    isNew = false,
  ): Promise<InstanceResult | undefined> {
    if (!isNew && waitMilliseconds > 0) await awaitAnnouncement(store, request, waitMilliseconds);
    let latest: InstanceResult | undefined;
    const look = async () => {
      latest = await readResult(store, request);
      return latest === undefined || isSettled(latest) ? { latest } : undefined;
    };
    const deadline = performance.now() + waitMilliseconds;
    await waits.lookUntil({ keys: [request.workflowID], deadline, signal, look, isNew });
    return latest;
  };
}
