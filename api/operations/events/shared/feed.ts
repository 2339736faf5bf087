/** The part of a feed that a request asks for, or the problem that keeps it from being read. */
import { PREFIX } from '../../../../store/events/cloud-event.js';
import { newestPosition, type Expired, type FeedPart, type FeedRequest } from '../../../../store/events/feed.js';
import type { EventType } from '../../../../store/events/types.js';
import type { ApiContext } from '../../../context.js';
import { problem } from '../../../contract/problem.js';
import { wordsOf } from '../../../contract/schemas.js';

interface Query {
  readonly after?: string | undefined;
  readonly types?: string | undefined;
  readonly processId?: string | undefined;
}

/** @returns undefined if the project has no feed */
export async function feedRequest(
  context: ApiContext,
  projectID: string,
  { after, types, processId }: Query,
  limit: number,
): Promise<FeedRequest | undefined> {
  const from = after ?? (await newestPosition(context.store, projectID));
  if (from === undefined) return undefined;
  const wanted = wordsOf(types)?.map((type) => type.slice(PREFIX.length) as EventType);
  return { projectID, after: from, types: wanted, processID: processId, limit };
}

export function feedProblem(found: Expired | undefined) {
  return found === undefined
    ? problem('CONFLICT', 'The project has no event feed. An admin begins it with the setting eventRetention.')
    : problem(
        'POSITION_EXPIRED',
        'Events after this position have been removed. Continue after `details.oldest`, and read the present state of what you follow.',
        { details: { oldest: found.oldest } },
      );
}

export function isPart(found: FeedPart | Expired | undefined): found is FeedPart {
  return found?.kind === 'part';
}
