/** Deliveries of authenticated senders to hooks, kept for seven days. */
import { firstRow, type Database, type Transaction, type Queryable } from '../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
import { jsonText } from '../sql/text.js';

export const deliveryOutcomes = ['PUBLISHED', 'IGNORED', 'REPEATED', 'FAILED'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

export interface NewDelivery {
  outcome: DeliveryOutcome;
  publicationID?: string | undefined;
  /** Why it failed; never a value. */
  problem?: string | undefined;
  /** Only of a failed one. */
  body?: string | undefined;
  /** Only if `body` is all of the body. */
  request?: KeptRequest | undefined;
}

/** The parts of a delivery besides its body. */
export interface KeptRequest {
  readonly contentType: string | null;
  /** Without the question mark. */
  readonly query: string;
  /** By names in lower case, without the one that contains a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** Recognizes the delivery when it comes again: a key, and the time that its signature covers. */
  readonly identity?: { readonly key: string; readonly signedAt: string } | undefined;
}

export interface Delivery {
  deliveryID: string;
  receivedAt: Date;
  outcome: DeliveryOutcome;
  publicationID: string | null;
  problem: string | null;
  body: string | null;
  /** Whether it failed, and all that is needed to deliver it again was kept. */
  isRedeliverable: boolean;
}

/** A delivery with all that is needed to deliver it again. */
export interface KeptDelivery extends Delivery {
  request: KeptRequest | null;
  /** How often it was delivered again. */
  redeliveries: number;
}

const columns = `d.id AS "deliveryID", d.received_at AS "receivedAt", d.outcome, d.publication_id AS "publicationID", d.problem, d.body,
  d.outcome = 'FAILED' AND d.body IS NOT NULL AND d.request IS NOT NULL AS "isRedeliverable"`;

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
  { outcome, publicationID, problem, body, request }: NewDelivery,
): Promise<void> {
  await transaction.query(
    `INSERT INTO hook_deliveries (project_id, hook_id, outcome, publication_id, problem, body, request) VALUES ($1, $2, $3, $4, $5, $6, $7::json)`,
    [projectID, hookID, outcome, publicationID ?? null, problem ?? null, body ?? null, jsonText(request)],
  );
  if (body === undefined) return;
  await transaction.query(
    `UPDATE hook_deliveries SET body = NULL, request = NULL WHERE number = (
       SELECT number FROM hook_deliveries WHERE hook_id = $1 AND body IS NOT NULL ORDER BY number DESC OFFSET ${MAX_BODIES} LIMIT 1)`,
    [hookID],
  );
}

/** Deliveries of the last seven days, newest first. */
export async function listDeliveries(database: Queryable, hookID: string, page: PageRequest): Promise<Page<Delivery>> {
  const filter = new Filter().where('d.hook_id = ?', hookID).whereTrue(`d.received_at > now() - ${RETENTION}`);
  return listPage<Delivery>(database, { columns, table: 'hook_deliveries d', filter, orderBy: 'd.number DESC' }, page);
}

/** A delivery of the last seven days. */
export async function findDelivery(
  database: Queryable,
  hookID: string,
  deliveryID: string,
): Promise<KeptDelivery | undefined> {
  return firstRow<KeptDelivery>(
    database,
    `SELECT ${columns}, d.request, d.redeliveries FROM hook_deliveries d
     WHERE d.hook_id = $1 AND d.id = $2 AND d.received_at > now() - ${RETENTION}`,
    [hookID, deliveryID],
  );
}

/**
 * Locks a failed delivery, unless it was delivered again, or lost its body, after it was read.
 * @returns whether it is locked
 */
export async function lockFailedDelivery(
  transaction: Queryable,
  hookID: string,
  { deliveryID, redeliveries }: Pick<KeptDelivery, 'deliveryID' | 'redeliveries'>,
): Promise<boolean> {
  const found = await firstRow(
    transaction,
    `SELECT FROM hook_deliveries d
     WHERE d.hook_id = $1 AND d.id = $2 AND d.redeliveries = $3 AND d.outcome = 'FAILED' AND d.request IS NOT NULL FOR UPDATE`,
    [hookID, deliveryID, redeliveries],
  );
  return found !== undefined;
}

/** Writes the outcome of another delivery. Only one that failed again keeps its body. */
export async function recordRedelivery(
  transaction: Queryable,
  hookID: string,
  deliveryID: string,
  { outcome, publicationID, problem }: Pick<NewDelivery, 'outcome' | 'publicationID' | 'problem'>,
): Promise<Delivery | undefined> {
  return firstRow<Delivery>(
    transaction,
    `UPDATE hook_deliveries d SET outcome = $3, publication_id = $4, problem = $5, redeliveries = redeliveries + 1,
       body = CASE WHEN $3 = 'FAILED' THEN body END, request = CASE WHEN $3 = 'FAILED' THEN request END
     WHERE d.hook_id = $1 AND d.id = $2 RETURNING ${columns}`,
    [hookID, deliveryID, outcome, publicationID ?? null, problem ?? null],
  );
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
