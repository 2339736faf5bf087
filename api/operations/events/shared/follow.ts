/** Follows a feed until the token of its reader expires, for a quarter of an hour at most. */
import type { FeedPart, FeedRequest } from '../../../../store/events/feed.js';
import type { Caller } from '../../../access/caller.js';
import type { ApiContext } from '../../../context.js';
import { MAX_STREAM_MS, type ServerSentEvent } from './server-sent-events.js';
import { isPart } from './feed.js';
import { eventsForReader } from './for-reader.js';

/** Proxies close connections on which nothing is sent. */
const KEEP_ALIVE_MS = 15_000;

interface Following {
  readonly context: ApiContext;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** @param first what was read to find out whether there is a feed */
export async function* follow(
  { context: { store, notifications }, caller, signal }: Following,
  request: FeedRequest,
  first: FeedPart,
): AsyncGenerator<ServerSentEvent> {
  const end = performance.now() + Math.min(MAX_STREAM_MS, caller.expiresAt - Date.now());
  // Sends the headers of the response.
  yield { id: request.after };
  for (let part = first; ;) {
    for (const item of await eventsForReader(store, caller, request.projectID, part.events))
      yield { id: item.id, item };
    const left = end - performance.now();
    if (left <= 0 || signal.aborted || notifications.isClosed) return;
    const next = await notifications.readEvents(
      store,
      { ...request, after: part.next },
      Math.min(KEEP_ALIVE_MS, left),
      signal,
    );
    // The reader learns why when it comes back.
    if (!isPart(next)) return;
    if (next.events.length === 0) yield { id: next.next };
    part = next;
  }
}
