/**
 * Turns of connectors that deliver events. One connector at a time delivers the events of a subscription; its row is the
 * lock. A connector that dies loses its turn when its lease ends, and whatever it has not recorded is delivered again.
 */
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import type { StoredEvent } from '../events/feed.js';
import { oneOf } from '../turns/project-turns.js';
import { fillQueue } from './fill.js';
import { promote, recordDelivered, recordFailed, type FailedDelivery } from './outcomes.js';

/** Longer than a request may take, with time to record its outcome. */
const LEASE = "interval '30 seconds'";

export interface SubscriptionTurn {
  subscriptionID: string;
  lease: string;
  projectID: string;
}

/** The present settings of the subscription. */
export interface Receiver {
  url: string;
  /** The name of the secret that signs. */
  secret: string;
}

export interface Outcomes {
  delivered: readonly string[];
  failed: readonly FailedDelivery[];
}

export interface DueEvent extends StoredEvent {
  /** Whether an earlier attempt failed. */
  isRepeated: boolean;
}

export interface Capacity {
  /** Positions that have been returned before and have no outcome yet. */
  underWay: readonly string[];
  /** How many more can be delivered now. */
  room: number;
  /** Of those, repetitions while there are other events. */
  roomForRepeated: number;
}

export interface Advanced {
  receiver: Receiver;
  /** To be delivered now; at most one of each instance. */
  events: DueEvent[];
  /** Whether there is room for more events, and the feed may have them. */
  mayHaveMore: boolean;
  /** Positions that failed for too long. */
  dead: string[];
}

/**
 * Takes turns of subscriptions that have something to deliver: the first of each project, those that have waited longest
 * first, then the second of each.
 * @param underWay the projects of the turns that this connector has, one for each turn
 */
export async function takeTurns(
  database: Database,
  most: number,
  mostOfProject: number,
  underWay: readonly string[] = [],
): Promise<SubscriptionTurn[]> {
  return rows<SubscriptionTurn>(
    database,
    `UPDATE event_subscriptions SET lease = gen_random_uuid(), due_at = now() + ${LEASE} WHERE id = ANY (ARRAY (
       SELECT s.id FROM event_subscriptions s JOIN (
         SELECT s.id, s.due_at, row_number() OVER (PARTITION BY s.project_id ORDER BY s.due_at)
           + (SELECT count(*) FROM unnest($3::text[]) had WHERE had = s.project_id) AS place
         FROM event_subscriptions s WHERE s.enabled AND s.due_at <= now() AND (
           ${oneOf('event_deliveries d WHERE d.subscription_id = s.id AND d.due_at <= now() ORDER BY d.due_at')} OR
           ${oneOf('events e WHERE e.project_id = s.project_id AND e.position > s.position ORDER BY e.position')})
       ) due ON due.id = s.id
       WHERE s.enabled AND s.due_at <= now() AND due.place <= $2
       ORDER BY due.place, due.due_at LIMIT $1 FOR UPDATE OF s SKIP LOCKED
     )) RETURNING id AS "subscriptionID", lease, project_id AS "projectID"`,
    [most, mostOfProject, underWay],
  );
}

/**
 * Records outcomes and returns the next events, in one transaction, so that nothing else changes the queue of the subscription
 * at the same time. Renews the lease.
 * @returns undefined if the turn is lost: the subscription was disabled or deleted, or the lease ended
 */
export async function advance(
  database: Database,
  { subscriptionID, lease, projectID }: SubscriptionTurn,
  { delivered, failed }: Outcomes,
  capacity: Capacity,
): Promise<Advanced | undefined> {
  return database.transaction(async (transaction) => {
    const receiver = await firstRow<Receiver & { enabled: boolean }>(
      transaction,
      `UPDATE event_subscriptions SET due_at = now() + ${LEASE} WHERE id = $1 AND lease = $2 RETURNING url, secret, enabled`,
      [subscriptionID, lease],
    );
    if (receiver === undefined) return undefined;
    if (delivered.length > 0) await recordDelivered(transaction, subscriptionID, delivered);
    const dead = failed.length > 0 ? await recordFailed(transaction, subscriptionID, failed) : [];
    if (!receiver.enabled) return undefined;
    const next = await nextEvents(transaction, { subscriptionID, projectID, ...capacity });
    return { receiver, ...next, dead };
  });
}

/** Ends the turn, so that any connector can take the next one. */
export async function endTurn(database: Database, { subscriptionID, lease }: SubscriptionTurn): Promise<void> {
  await database.query('UPDATE event_subscriptions SET lease = NULL, due_at = now() WHERE id = $1 AND lease = $2', [
    subscriptionID,
    lease,
  ]);
}

interface Wanted extends Capacity {
  subscriptionID: string;
  projectID: string;
}

async function nextEvents(transaction: Transaction, wanted: Wanted): Promise<Pick<Advanced, 'events' | 'mayHaveMore'>> {
  if (wanted.room === 0) return { events: [], mayHaveMore: false };
  const found = await dueEvents(transaction, wanted);
  const isFull = found.length === wanted.room && found.some(({ isRepeated }) => !isRepeated);
  const lookedAt = isFull ? 'nothing' : await fillQueue(transaction, wanted.subscriptionID);
  if (lookedAt === 'nothing') return { events: found, mayHaveMore: false };
  const events = await dueEvents(transaction, wanted);
  return { events, mayHaveMore: lookedAt === 'page' && events.length < wanted.room };
}

async function dueEvents(
  transaction: Transaction,
  { subscriptionID, projectID, underWay, room, roomForRepeated }: Wanted,
): Promise<DueEvent[]> {
  const due = await rows<DueEvent & { orderKey: string; isGone: boolean }>(
    transaction,
    // Repetitions take their share first, then other events, then more repetitions: receivers that fail for some instances
    // must not hold back the events of others.
    `SELECT d.position, d.order_key AS "orderKey", d.is_repeated AS "isRepeated", e.position IS NULL AS "isGone",
       e.type, e.subject, e.happened_at AS "happenedAt", e.data
     FROM (
       SELECT position, order_key, is_repeated FROM (
         SELECT position, order_key, due_at, attempts > 0 AS is_repeated,
           row_number() OVER (PARTITION BY attempts > 0 ORDER BY due_at, position) AS nth
         FROM event_deliveries WHERE subscription_id = $1 AND due_at <= now() AND position <> ALL ($3::bigint[])
       ) due ORDER BY CASE WHEN NOT is_repeated THEN 1 WHEN nth <= $5 THEN 0 ELSE 2 END, due_at, position LIMIT $4
     ) d LEFT JOIN events e ON e.project_id = $2 AND e.position = d.position`,
    [subscriptionID, projectID, underWay, room, roomForRepeated],
  );
  // Retention removed them, or their instance was erased.
  const gone = due.filter(({ isGone }) => isGone);
  if (gone.length === 0) return due;
  await transaction.query('DELETE FROM event_deliveries WHERE subscription_id = $1 AND position = ANY ($2::bigint[])', [
    subscriptionID,
    gone.map(({ position }) => position),
  ]);
  const keys = gone.map(({ orderKey }) => orderKey);
  await promote(transaction, subscriptionID, keys);
  return due.filter(({ isGone }) => !isGone);
}
