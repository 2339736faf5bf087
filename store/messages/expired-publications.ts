/**
 * Ends expired publications in statements of limited size: a signal may have reached a million instances, and a
 * project may have published a million messages. Each function is called until it finds no more.
 */
import type { PublicationType } from './correlation.js';
import { recordEnd } from '../publications/ended-publications.js';
import { rows, type Queryable } from '../sql/database.js';

/** How long an expired publication is kept: a subscription that opened in time may not have been matched yet. */
const GRACE = "interval '1 minute'";

const ROWS_AT_ONCE = 5_000;

const isOver = `expires_at < now() - ${GRACE} AND claimed_by IS NULL AND (match_at IS NULL OR match_at > now())`;

/**
 * From here on no subscription matches the expired signals, so the record of whom they reached is no longer needed.
 * @returns how many, at most `atOnce`
 */
export async function retireSignals(database: Queryable, atOnce = ROWS_AT_ONCE): Promise<number> {
  const { rowCount } = await database.query(
    `WITH due AS MATERIALIZED (
       SELECT * FROM publications WHERE ${isOver} AND type = 'signal' AND expires_at > '-infinity' LIMIT $1 FOR UPDATE SKIP LOCKED
     ), retired AS (
       UPDATE publications SET expires_at = '-infinity' WHERE id IN (SELECT id FROM due)
     ) ${recordEnd({ from: 'due p', state: 'EXPIRED', endedAt: 'p.expires_at' })}`,
    [atOnce],
  );
  return rowCount ?? 0;
}

/**
 * Forgets whom retired signals have reached.
 * @returns how many deliveries, at most `atOnce`
 */
export async function forgetDeliveries(database: Queryable, atOnce = ROWS_AT_ONCE): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM signal_deliveries WHERE (publication_id, workflow_id) IN (
       SELECT d.publication_id, d.workflow_id FROM publications p JOIN signal_deliveries d ON d.publication_id = p.id
       WHERE p.expires_at = '-infinity' LIMIT $1 FOR UPDATE OF d SKIP LOCKED)`,
    [atOnce],
  );
  return rowCount ?? 0;
}

/**
 * Deletes expired messages, and retired signals without deliveries.
 * @returns the type of each, at most `atOnce`
 */
export async function dropPublications(database: Queryable, atOnce = ROWS_AT_ONCE): Promise<PublicationType[]> {
  const dropped = await rows<{ type: PublicationType }>(
    database,
    `WITH dropped AS (
       DELETE FROM publications WHERE id IN (
         SELECT id FROM publications p WHERE ${isOver}
           AND (type = 'message' OR expires_at = '-infinity' AND NOT EXISTS (SELECT 1 FROM signal_deliveries d WHERE d.publication_id = p.id))
         LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING *
     ), ended AS (
       ${recordEnd({ from: "dropped p WHERE p.type = 'message'", state: 'EXPIRED', endedAt: 'p.expires_at' })}
     )
     SELECT type FROM dropped`,
    [atOnce],
  );
  return dropped.map(({ type }) => type);
}
