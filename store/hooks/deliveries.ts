/** Deliveries of authenticated senders to hooks, kept for seven days. */
import { firstRow, type Database, type Transaction, type Queryable } from '../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';

export const deliveryOutcomes = ['PUBLISHED', 'IGNORED', 'REPEATED', 'FAILED'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

export interface NewDelivery {
  outcome: DeliveryOutcome;
  publicationID?: string | undefined;
  /** Why it failed; never a value. */
  problem?: string | undefined;
  /** Only of a failed one. */
  body?: string | undefined;
}

export interface Delivery {
  deliveryID: string;
  receivedAt: Date;
  outcome: DeliveryOutcome;
  publicationID: string | null;
  problem: string | null;
  body: string | null;
}

const RETENTION = "interval '7 days'";
const MAX_REMOVED = 5_000;

/** Per hook. Older bodies are dropped, so that a sender cannot fill the database with failures. */
export const MAX_BODIES = 1_000;

/** Whether the hook is still as it was when its delivery was authenticated. */
export async function isUnchanged(
  database: Queryable,
  { hookID, revision }: { hookID: string; revision: number },
): Promise<boolean> {
  const found = await firstRow(database, 'SELECT FROM hooks WHERE id = $1 AND revision = $2 AND enabled', [
    hookID,
    revision,
  ]);
  return found !== undefined;
}

export async function recordDelivery(
  transaction: Transaction,
  { projectID, hookID }: { projectID: string; hookID: string },
  { outcome, publicationID, problem, body }: NewDelivery,
): Promise<void> {
  await transaction.query(
    `INSERT INTO hook_deliveries (project_id, hook_id, outcome, publication_id, problem, body) VALUES ($1, $2, $3, $4, $5, $6)`,
    [projectID, hookID, outcome, publicationID ?? null, problem ?? null, body ?? null],
  );
  if (body === undefined) return;
  await transaction.query(
    `UPDATE hook_deliveries SET body = NULL WHERE number = (
       SELECT number FROM hook_deliveries WHERE hook_id = $1 AND body IS NOT NULL ORDER BY number DESC OFFSET ${MAX_BODIES} LIMIT 1)`,
    [hookID],
  );
}

/** Deliveries of the last seven days, newest first. */
export async function listDeliveries(database: Queryable, hookID: string, page: PageRequest): Promise<Page<Delivery>> {
  const columns = `d.id AS "deliveryID", d.received_at AS "receivedAt", d.outcome, d.publication_id AS "publicationID", d.problem, d.body`;
  const filter = new Filter().where('d.hook_id = ?', hookID).whereTrue(`d.received_at > now() - ${RETENTION}`);
  return listPage<Delivery>(database, { columns, table: 'hook_deliveries d', filter, orderBy: 'd.number DESC' }, page);
}

/**
 * Removes deliveries that are older than seven days.
 * @returns how many, at most 5,000
 */
export async function removeOldDeliveries(database: Database): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM hook_deliveries WHERE number IN (
       SELECT number FROM hook_deliveries WHERE received_at < now() - ${RETENTION} ORDER BY received_at LIMIT ${MAX_REMOVED} FOR UPDATE SKIP LOCKED)`,
  );
  return rowCount ?? 0;
}
