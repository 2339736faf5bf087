/** Moves events of the feed into the queue of a subscription. */
import { firstRow, type Transaction } from '../sql/database.js';
import { promote } from './outcomes.js';

/** Events in the queue: those that fail, and later ones of the same instances. The rest waits in the feed. */
export const MAX_QUEUED = 10_000;
/** Events of the feed that one step looks at, however few of them match. */
const MAX_LOOKED_AT = 500;

interface Filled {
  lookedAt: number;
  keys: string[];
}

/** `page`: as many events as one step looks at, so the feed may have more. */
export type LookedAt = 'nothing' | 'some' | 'page';

/** Call it in the transaction that has locked the row of the subscription. */
export async function fillQueue(transaction: Transaction, subscriptionID: string): Promise<LookedAt> {
  const filled = await firstRow<Filled>(
    transaction,
    `WITH subscription AS (
       SELECT s.id, s.project_id, s.types, s.process_ids, greatest(s.position, f.expired_through) AS after, s.position < f.expired_through AS is_behind
       FROM event_subscriptions s JOIN event_feeds f ON f.project_id = s.project_id
       WHERE s.id = $1 AND (SELECT count(*) FROM event_deliveries d WHERE d.subscription_id = s.id AND d.dead_at IS NULL) <= ${MAX_QUEUED - MAX_LOOKED_AT}
     ), ahead AS MATERIALIZED (
       SELECT e.position, e.type, e.subject, e.process_id, e.workflow_id FROM subscription s, events e
       WHERE e.project_id = s.project_id AND e.position > s.after ORDER BY e.position LIMIT ${MAX_LOOKED_AT}
     ), queued AS (
       INSERT INTO event_deliveries (subscription_id, position, order_key, workflow_id)
       SELECT s.id, a.position, coalesce(a.workflow_id, a.subject), a.workflow_id FROM subscription s, ahead a
       WHERE a.type = ANY (s.types) AND (s.process_ids IS NULL OR a.process_id = ANY (s.process_ids))
       RETURNING order_key
     ), moved AS (
       UPDATE event_subscriptions s SET position = greatest(b.after, (SELECT max(position) FROM ahead)),
         last_error = CASE WHEN b.is_behind THEN 'Events up to position ' || b.after || ' were removed by eventRetention before they were reached' ELSE s.last_error END
       FROM subscription b WHERE s.id = b.id
     )
     SELECT (SELECT count(*)::int FROM ahead) AS "lookedAt", ARRAY (SELECT DISTINCT order_key FROM queued) AS keys FROM subscription`,
    [subscriptionID],
  );
  if (filled === undefined || filled.lookedAt === 0) return 'nothing';
  await promote(transaction, subscriptionID, filled.keys);
  return filled.lookedAt === MAX_LOOKED_AT ? 'page' : 'some';
}
