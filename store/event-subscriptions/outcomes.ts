/** Outcomes of deliveries. Call these functions in the transaction that has locked the row of the subscription. */
import { rows, type Transaction } from '../sql/database.js';

export interface FailedDelivery {
  position: string;
  /** Without what was sent, and without the answer. */
  error: string;
}

/** Attempts come after 1 s, doubling to an hour; after three days, the event is a dead letter. */
const MAX_PAUSE_SECONDS = 3_600;
const TRIED_FOR = "interval '3 days'";
/** A receiver that answers again after this long gets what failed in the meantime at once. */
const AWAY = "interval '1 minute'";
/** A pause that is longer than the absence by this factor comes from failures before it: the receiver refuses the event. */
const FAILED_BEFORE = 10;

/** @param failures how many came before the failure that the pause follows, as SQL */
const pauseAfter = (failures: string): string =>
  `make_interval(secs => least(${MAX_PAUSE_SECONDS}, 2 ^ least(${failures}, 12)))`;

export async function recordDelivered(
  transaction: Transaction,
  subscriptionID: string,
  positions: readonly string[],
): Promise<void> {
  const done = await rows<{ orderKey: string }>(
    transaction,
    `DELETE FROM event_deliveries WHERE subscription_id = $1 AND position = ANY ($2::bigint[]) RETURNING order_key AS "orderKey"`,
    [subscriptionID, positions],
  );
  await transaction.query(
    `WITH back AS (
       SELECT id, failing_since FROM event_subscriptions WHERE id = $1 AND failing_since IS NOT NULL
     ), released AS (
       UPDATE event_deliveries d SET due_at = now() FROM back
       WHERE d.subscription_id = back.id AND back.failing_since < now() - ${AWAY} AND d.due_at > now() AND d.position <> ALL ($2::bigint[])
         AND ${pauseAfter('d.attempts - 1')} <= ${FAILED_BEFORE} * (now() - back.failing_since)
     )
     UPDATE event_subscriptions s SET failing_since = NULL FROM back WHERE s.id = back.id`,
    [subscriptionID, positions],
  );
  await promote(
    transaction,
    subscriptionID,
    done.map(({ orderKey }) => orderKey),
  );
}

/** @returns the positions that are dead letters now */
export async function recordFailed(
  transaction: Transaction,
  subscriptionID: string,
  failed: readonly FailedDelivery[],
): Promise<string[]> {
  const tried = await rows<{ position: string; orderKey: string; isDead: boolean }>(
    transaction,
    // An event that was redelivered in the meantime can come before this one.
    `UPDATE event_deliveries d SET attempts = d.attempts + 1, last_error = f.error,
       dead_at = CASE WHEN d.queued_at < now() - ${TRIED_FOR} THEN now() END,
       due_at = CASE WHEN d.queued_at >= now() - ${TRIED_FOR} AND NOT EXISTS (
           SELECT FROM event_deliveries earlier WHERE earlier.subscription_id = $1 AND earlier.order_key = d.order_key
             AND earlier.position < d.position AND earlier.dead_at IS NULL)
         THEN now() + ${pauseAfter('d.attempts')} END
     FROM unnest($2::bigint[], $3::text[]) AS f(position, error)
     WHERE d.subscription_id = $1 AND d.position = f.position AND d.dead_at IS NULL
     RETURNING d.position, d.order_key AS "orderKey", d.dead_at IS NOT NULL AS "isDead"`,
    [subscriptionID, failed.map(({ position }) => position), failed.map(({ error }) => error)],
  );
  await transaction.query(
    `UPDATE event_subscriptions SET failing_since = coalesce(failing_since, now()), last_error = $2 WHERE id = $1`,
    [subscriptionID, failed.at(-1)!.error],
  );
  const dead = tried.filter(({ isDead }) => isDead);
  await promote(
    transaction,
    subscriptionID,
    dead.map(({ orderKey }) => orderKey),
  );
  return dead.map(({ position }) => position);
}

/** Makes the first event of each key due, unless it is so already. */
export async function promote(
  transaction: Transaction,
  subscriptionID: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await transaction.query(
    `UPDATE event_deliveries d SET due_at = now()
     FROM unnest($2::text[]) AS k(order_key) CROSS JOIN LATERAL (
       SELECT position FROM event_deliveries n WHERE n.subscription_id = $1 AND n.order_key = k.order_key AND n.dead_at IS NULL
       ORDER BY position LIMIT 1
     ) first
     WHERE d.subscription_id = $1 AND d.position = first.position AND d.due_at IS NULL`,
    [subscriptionID, [...new Set(keys)]],
  );
}
