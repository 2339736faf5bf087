/** Following the event feed of a project by long polls. */
import { ApiError } from './api-error.js';
import { pause, pauseAfter } from './backoff.js';
import { unwrap, type PerdureClient } from './client.js';
import type { Schemas } from './schema.js';

export interface FollowedFeed {
  projectID: string;
  /** The position to begin after: the `id` of the last event that was processed. Default: from now on. `0`: from the oldest. */
  after?: string | undefined;
  /** Separated by commas (default: all). */
  types?: string | undefined;
  processId?: string | undefined;
  signal: AbortSignal;
  /** Receives one line for each time that the host could not be reached. */
  log?(line: string): void;
}

/** The longest wait of one request. */
const MAX_WAIT_SECONDS = 30;

/**
 * Yields events until `signal` is aborted, each once and in the order of the feed. While the host is unavailable, it waits
 * and continues where it was. Store the `id` of an event with its effect to continue after it.
 * @throws ApiError CONFLICT: the project has no feed; POSITION_EXPIRED: events after the position have been removed
 */
export async function* followEvents(client: PerdureClient, feed: FollowedFeed): AsyncGenerator<Schemas['CloudEvent']> {
  let position = feed.after;
  for (let failures = 0; !feed.signal.aborted;) {
    const part = await readPart(client, feed, position);
    if (part === undefined) {
      failures += 1;
      await pause(pauseAfter(failures), feed.signal);
      continue;
    }
    failures = 0;
    yield* part.data;
    position = part.next;
  }
}

/** @returns undefined if the host is unavailable or `signal` is aborted */
async function readPart(
  client: PerdureClient,
  { projectID, types, processId, signal, log }: FollowedFeed,
  position: string | undefined,
): Promise<Schemas['EventsPart'] | undefined> {
  const params = {
    path: { projectID },
    query: { after: position, types, processId },
    // Without a position, the first request does not wait: a wait that failed would miss the events during it.
    ...(position !== undefined && { header: { Prefer: `wait=${MAX_WAIT_SECONDS}` } }),
  };
  try {
    // Without `Accept: text/event-stream`, it is not a stream.
    return (await unwrap(client.GET('/projects/{projectID}/events', { params, signal }))) as Schemas['EventsPart'];
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof ApiError && !error.isTemporary) throw error;
    log?.(`Host unavailable; retrying (${(error as Error).message})`);
    return undefined;
  }
}
