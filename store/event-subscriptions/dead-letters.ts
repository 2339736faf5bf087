/** Events that were not delivered in time. They are kept as long as the event is, and can be delivered again. */
import { rows, type Database, type Queryable } from '../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
import type { StoredEvent } from '../events/feed.js';

export interface DeadLetter extends StoredEvent {
  attempts: number;
  lastError: string | null;
  deadAt: Date;
}

const MAX_DEAD_LETTERS_PER_REQUEST = 10_000;
const MAX_FORGOTTEN = 5_000;

/** The newest dead letters first. */
export async function listDeadLetters(
  database: Queryable,
  { projectID, subscriptionID }: { projectID: string; subscriptionID: string },
  page: PageRequest,
): Promise<Page<DeadLetter>> {
  const filter = new Filter()
    .where('d.subscription_id = ?', subscriptionID)
    .where('e.project_id = ?', projectID)
    .whereTrue('d.dead_at IS NOT NULL');
  return listPage<DeadLetter>(
    database,
    {
      columns: `e.position, e.type, e.subject, e.happened_at AS "happenedAt", e.data, d.attempts, d.last_error AS "lastError", d.dead_at AS "deadAt"`,
      table: 'event_deliveries d JOIN events e ON e.position = d.position',
      filter,
      orderBy: 'd.dead_at DESC, d.position DESC',
    },
    page,
  );
}

/**
 * Delivers dead letters again, before later events of the same instance.
 * @param positions undefined: the oldest 10,000
 * @returns how many
 */
export async function redeliver(
  database: Database,
  subscriptionID: string,
  positions: readonly string[] | undefined,
): Promise<number> {
  return database.transaction(async (transaction) => {
    // The connector that delivers now waits, so it sees the new order.
    await transaction.query('SELECT FROM event_subscriptions WHERE id = $1 FOR UPDATE', [subscriptionID]);
    const again = await rows<{ orderKey: string }>(
      transaction,
      `UPDATE event_deliveries SET dead_at = NULL, attempts = 0, queued_at = now() WHERE subscription_id = $1 AND position = ANY (ARRAY (
         SELECT position FROM event_deliveries
         WHERE subscription_id = $1 AND dead_at IS NOT NULL AND ($2::bigint[] IS NULL OR position = ANY ($2))
         ORDER BY position LIMIT ${MAX_DEAD_LETTERS_PER_REQUEST}
       )) RETURNING order_key AS "orderKey"`,
      [subscriptionID, positions ?? null],
    );
    const keys = [...new Set(again.map(({ orderKey }) => orderKey))];
    await transaction.query(
      `UPDATE event_deliveries d SET due_at = CASE WHEN d.position = first.position THEN now() END
       FROM (SELECT order_key, min(position) AS position FROM event_deliveries
             WHERE subscription_id = $1 AND dead_at IS NULL AND order_key = ANY ($2::text[]) GROUP BY order_key) first
       WHERE d.subscription_id = $1 AND d.order_key = first.order_key AND d.dead_at IS NULL
         AND (d.due_at IS NOT NULL OR d.position = first.position)`,
      [subscriptionID, keys],
    );
    return again.length;
  });
}

/**
 * Forgets dead letters whose events have been removed.
 * @returns how many, at most 5,000
 */
export async function forgetExpiredDeadLetters(database: Database): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM event_deliveries WHERE ctid = ANY (ARRAY (
       SELECT dead.ctid FROM event_subscriptions s JOIN event_feeds f ON f.project_id = s.project_id CROSS JOIN LATERAL (
         SELECT d.ctid FROM event_deliveries d WHERE d.subscription_id = s.id AND d.dead_at IS NOT NULL AND d.position <= f.expired_through
         LIMIT ${MAX_FORGOTTEN} FOR UPDATE SKIP LOCKED
       ) dead LIMIT ${MAX_FORGOTTEN}))`,
  );
  return rowCount ?? 0;
}
