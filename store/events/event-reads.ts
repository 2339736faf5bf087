import { ChannelWaits } from '../connections/channel-waits.js';
import type { Listener } from '../connections/listener.js';
import type { Database, Queryable } from '../sql/database.js';
import { readFeed, type Expired, type FeedPart, type FeedRequest } from './feed.js';
import { SharedTails } from './shared-tail.js';

/**
 * Reads of feeds that wait for events. Many requests may do so, each for a minute.
 * @param database reads announced events once for all waiters of a project
 */
export function eventReads(listener: Listener, database: Queryable) {
  const waits = new ChannelWaits(listener, { ticksPerLook: 10 });
  const tails = new SharedTails(database);
  listener.add('perdure_events', { waits, hear: (projectID) => waits.wake(projectID) });

  /**
   * Reads the next part of a feed, waiting for the first event that matches.
   * @param store reads what is there already
   * @returns a part without events if none came in time; undefined if the project has no feed
   */
  return async function readEvents(
    store: Database,
    request: FeedRequest,
    waitMilliseconds: number,
    signal: AbortSignal,
  ): Promise<FeedPart | Expired | undefined> {
    let latest: FeedPart | Expired | undefined;
    const deadline = performance.now() + waitMilliseconds;
    const look = async () => {
      if (latest?.kind === 'part') {
        const shared = await tails.read({ ...request, after: latest.next });
        if (shared !== 'unshared') {
          latest = shared;
          return latest?.kind !== 'part' || latest.events.length > 0 ? { latest } : undefined;
        }
      }
      do {
        const after = latest?.kind === 'part' ? latest.next : request.after;
        latest = await readFeed(store, { ...request, after });
        if (latest?.kind !== 'part' || latest.events.length > 0) return { latest };
      } while (latest.hasMore && performance.now() < deadline && !signal.aborted);
      return undefined;
    };
    await waits.lookUntil({ keys: [request.projectID], deadline, signal, look });
    return latest;
  };
}
