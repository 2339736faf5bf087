/** Reading a feed as its followers do. */
import { assignPositions } from '../../../store/events/positions.js';
import { readFeed, type FeedRequest, type StoredEvent } from '../../../store/events/feed.js';
import type { TestStore } from './store.js';

const HOUR = 3_600_000;

export async function beginFeed({ database }: TestStore, projectID: string, milliseconds: number | null = HOUR) {
  await database.query('UPDATE projects SET event_retention_ms = $2 WHERE id = $1', [projectID, milliseconds]);
}

export async function assignAll({ database }: TestStore): Promise<void> {
  while ((await assignPositions(database)).isFull);
}

/** One part of the feed. Throws if the feed has no part. */
export async function readPart({ database }: TestStore, request: Partial<FeedRequest> & { projectID: string }) {
  const part = await readFeed(database, { after: '0', limit: 1_000, ...request });
  if (part?.kind !== 'part') throw new Error(`The feed of ${request.projectID} is ${JSON.stringify(part)}`);
  return part;
}

/** Everything that the feed has now. */
export async function readAll(
  store: TestStore,
  request: Partial<FeedRequest> & { projectID: string },
): Promise<StoredEvent[]> {
  await assignAll(store);
  const events: StoredEvent[] = [];
  for (let after = '0'; ;) {
    const part = await readPart(store, { ...request, after });
    events.push(...part.events);
    if (!part.hasMore) return events;
    after = part.next;
  }
}

export const namesOf = (events: readonly StoredEvent[]) => events.map(({ type }) => type);
