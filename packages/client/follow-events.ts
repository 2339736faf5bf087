/** Following the event feed of a project by long polls. */
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
}

/** The longest wait of one request. */
const LONGEST_WAIT_SECONDS = 30;

/**
 * Yields events until `signal` is aborted, each once and in the order of the feed. Store the `id` of an event with its
 * effect to continue after it.
 * @throws ApiError CONFLICT: the project has no feed; POSITION_EXPIRED: events after the position have been removed
 */
export async function* followEvents(
  client: PerdureClient,
  { projectID, after, types, processId, signal }: FollowedFeed,
): AsyncGenerator<Schemas['CloudEvent']> {
  for (let position = after; !signal.aborted;) {
    const params = {
      path: { projectID },
      query: { after: position, types, processId },
      header: { Prefer: `wait=${LONGEST_WAIT_SECONDS}` },
    };
    const part = await unwrap(client.GET('/projects/{projectID}/events', { params, signal })).catch(
      (error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      },
    );
    if (part === undefined) return;
    // Without `Accept: text/event-stream`, it is not a stream.
    const { data, next } = part as Schemas['EventsPart'];
    yield* data;
    position = next;
  }
}
