/**
 * The newest events of a project for all who wait for them. An announcement wakes every waiter; each has read nearly
 * everything before, so one read serves them all.
 */
import type { Queryable } from '../sql/database.js';
import { readFeed, type Expired, type FeedPart, type FeedRequest } from './feed.js';

/** Larger tails are read by each waiter for itself. */
const MAX_SHARED = 500;

type Part = FeedPart | Expired | undefined;

interface Batch {
  /** The oldest position that a waiter has read up to. */
  after: bigint;
  readonly part: Promise<Part>;
}

export class SharedTails {
  readonly #database: Queryable;
  /** By project: batches whose read has not begun, so that it sees what their waiters were woken for. */
  readonly #open = new Map<string, Batch>();
  /** By project: when the last read ends. */
  readonly #reading = new Map<string, Promise<unknown>>();

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * Reads what a waiter does not know yet, together with the others that ask before the read begins.
   * @param request its `after` is a position up to which the waiter has read this feed
   * @returns the same as `readFeed`; `'unshared'` if the waiter must read for itself
   */
  async read(request: FeedRequest): Promise<Part | 'unshared'> {
    const after = BigInt(request.after);
    // This position means the oldest event, even if older ones have expired.
    if (after === 0n) return 'unshared';
    const part = await this.#join(request.projectID, after);
    if (part === undefined) return undefined;
    if (part.kind === 'expired' || part.hasMore) return 'unshared';
    const wanted = part.events.filter((event) => isWanted(event, request, after));
    const events = wanted.slice(0, request.limit);
    if (events.length < wanted.length) return { kind: 'part', events, next: events.at(-1)!.position, hasMore: true };
    return { kind: 'part', events, next: BigInt(part.next) > after ? part.next : request.after, hasMore: false };
  }

  #join(projectID: string, after: bigint): Promise<Part> {
    const open = this.#open.get(projectID);
    if (open !== undefined) {
      if (after < open.after) open.after = after;
      return open.part;
    }
    const batch: Batch = { after, part: this.#begin(projectID, () => batch.after) };
    this.#open.set(projectID, batch);
    return batch.part;
  }

  /** One read of a project at a time. Requests that come while it runs share the next one. */
  async #begin(projectID: string, after: () => bigint): Promise<Part> {
    const before = this.#reading.get(projectID);
    await (before ?? nextTurn());
    this.#open.delete(projectID);
    const part = readFeed(this.#database, { projectID, after: String(after()), limit: MAX_SHARED });
    const ended = part.then(
      () => undefined,
      () => undefined,
    );
    this.#reading.set(projectID, ended);
    try {
      return await part;
    } finally {
      if (this.#reading.get(projectID) === ended) this.#reading.delete(projectID);
    }
  }
}

/** All waiters of an announcement ask in the same turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isWanted(
  { position, type, processID }: FeedPart['events'][number],
  { types, processID: wanted }: FeedRequest,
  after: bigint,
): boolean {
  return (
    BigInt(position) > after &&
    (types === undefined || types.includes(type)) &&
    (wanted === undefined || processID === wanted)
  );
}
