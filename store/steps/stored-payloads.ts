/**
 * Values that are too large for Temporal. They belong to one instance and are content-addressed. Each names who stored
 * it, and is deleted with that or with its instance, never by its age: a run may wait for its first workflow task for
 * days. What two runs have stored is there twice, so removing one never touches the other.
 */
import { createHash } from 'node:crypto';
import { firstRow, rows, type Database } from '../sql/database.js';

export interface PayloadAddress {
  workflowID: string;
  sha256: string;
}

/** The source of a value. */
export interface PayloadOwner {
  workflowID: string;
  /** The id of a run, `STORED_BY_START`, or the name of a resync. */
  storedBy: string;
}

/** The values of a start stay as long as the instance: the start may be sent again at any time. */
export const STORED_BY_START = 'start';
const RESYNC = 'resync-';

/** Some hundred megabytes at most, and far below the time limit of an activity. */
const REMOVED_AT_ONCE = 50;
const MAX_REMOVAL_MS = 1_000;
/** An instance has values of two or three runs, and of some more after resets and resyncs. */
const MAX_RUNS = 100;

/**
 * Stores `payload`; storing it again changes nothing. It never replaces what an earlier attempt stored: the earlier one
 * may be the one that was recorded.
 * @returns undefined if the instance does not exist, or variables of it were redacted: nothing would delete the value
 */
export async function storePayload(
  database: Database,
  { workflowID, storedBy }: PayloadOwner,
  payload: Uint8Array,
): Promise<PayloadAddress | undefined> {
  const sha256 = digestOf(payload);
  // The lock lets neither an erasure nor a redaction look for values before this one is there.
  const { exists } = (await firstRow<{ exists: boolean }>(
    database,
    `WITH instance AS MATERIALIZED (
       SELECT workflow_id FROM instances WHERE workflow_id = $1 AND redacted_variables = '{}' FOR SHARE
     ), stored AS (
       INSERT INTO stored_payloads (workflow_id, sha256, stored_by, payload)
       SELECT workflow_id, $2, $3, $4 FROM instance ON CONFLICT DO NOTHING
     )
     SELECT EXISTS (SELECT FROM instance) AS exists`,
    [workflowID, sha256, storedBy, payload],
  ))!;
  return exists ? { workflowID, sha256 } : undefined;
}

/** A value that a history refers to does not exist, or is not what was stored. Asking again does not help. */
export class UnavailablePayload extends Error {
  override readonly name = 'UnavailablePayload';
}

/** @throws UnavailablePayload if it does not exist or is not what was stored */
export async function loadPayload(database: Database, { workflowID, sha256 }: PayloadAddress): Promise<Buffer> {
  const stored = await firstRow<{ payload: Buffer }>(
    database,
    'SELECT payload FROM stored_payloads WHERE workflow_id = $1 AND sha256 = $2 LIMIT 1',
    [workflowID, sha256],
  );
  if (!stored)
    throw new UnavailablePayload(
      `Table stored_payloads has no value ${sha256} of workflow ${workflowID}, which its history refers to. Restore it from a backup, or run resync.`,
    );
  if (digestOf(stored.payload) !== sha256)
    throw new UnavailablePayload(
      `The value ${sha256} of workflow ${workflowID} in table stored_payloads is corrupt: its digest is ${digestOf(stored.payload)}. Restore it from a backup, or run resync.`,
    );
  return stored.payload;
}

/**
 * Removes values that these runs of a workflow have stored, for about a second at most. Callers name runs again until a
 * few later runs have begun, which removes the rest.
 */
export async function removePayloadsOf(
  database: Database,
  workflowID: string,
  storedBy: readonly string[],
): Promise<void> {
  const until = performance.now() + MAX_REMOVAL_MS;
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE && performance.now() < until;) {
    const { rowCount } = await database.query(
      `DELETE FROM stored_payloads WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM stored_payloads WHERE workflow_id = $1 AND stored_by = ANY ($2::text[]) LIMIT ${REMOVED_AT_ONCE}))`,
      [workflowID, storedBy],
    );
    removed = rowCount ?? 0;
  }
}

/**
 * Runs of a workflow that have stored values. Inputs of resyncs are left out: one that is still on its way to Temporal
 * may yet replace the one that asks.
 */
export async function runsWithPayloads(database: Database, workflowID: string): Promise<string[]> {
  const found = await rows<{ storedBy: string }>(
    database,
    `SELECT DISTINCT stored_by AS "storedBy" FROM stored_payloads
     WHERE workflow_id = $1 AND stored_by <> '${STORED_BY_START}' AND NOT starts_with(stored_by, '${RESYNC}') LIMIT ${MAX_RUNS}`,
    [workflowID],
  );
  return found.map(({ storedBy }) => storedBy);
}

/** @param id unique */
export function storedByResync(id: string): string {
  return `${RESYNC}${id}`;
}

function digestOf(payload: Uint8Array): string {
  return createHash('sha256').update(payload).digest('hex');
}
