/**
 * Values that are too large for Temporal. They belong to one workflow and are content-addressed, so storing one again
 * changes nothing. They are deleted with the rows of their instance, with the run that needed them, or by age.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { firstRow } from '../sql/database.js';

export interface PayloadAddress {
  /** Empty if Temporal has not said which workflow it belongs to. */
  workflowID: string;
  sha256: string;
}

/** A payload without an instance is kept longer than Perdure's workflows without an instance can run. */
const LONGEST_WITHOUT_INSTANCE = '30 days';
const MOST_REMOVED = 200;

/** Stores `payload`; storing it again resets its age. */
export async function storePayload(pool: Pool, workflowID: string, payload: Uint8Array): Promise<PayloadAddress> {
  const sha256 = digestOf(payload);
  await pool.query(
    `INSERT INTO stored_payloads (workflow_id, sha256, payload) VALUES ($1, $2, $3)
     ON CONFLICT (workflow_id, sha256) DO UPDATE SET stored_at = now()`,
    [workflowID, sha256, payload],
  );
  return { workflowID, sha256 };
}

/** @throws if it does not exist or is not what was stored */
export async function loadPayload(pool: Pool, { workflowID, sha256 }: PayloadAddress): Promise<Buffer> {
  const stored = await firstRow<{ payload: Buffer }>(
    pool,
    'SELECT payload FROM stored_payloads WHERE workflow_id = $1 AND sha256 = $2',
    [workflowID, sha256],
  );
  if (!stored)
    throw new Error(
      `Table stored_payloads has no value ${sha256} of workflow ${workflowID}, which its history refers to. Restore it from a backup, or run resync.`,
    );
  if (digestOf(stored.payload) !== sha256)
    throw new Error(
      `The value ${sha256} of workflow ${workflowID} in table stored_payloads is corrupt: its digest is ${digestOf(stored.payload)}. Restore it from a backup, or run resync.`,
    );
  return stored.payload;
}

/** Removes values that only earlier runs of a workflow needed. */
export async function removePayloadsBefore(pool: Pool, workflowID: string, before: Date): Promise<void> {
  await pool.query('DELETE FROM stored_payloads WHERE workflow_id = $1 AND stored_at < $2', [workflowID, before]);
}

/**
 * Removes a limited number of old payloads without an instance.
 * @returns how many
 */
export async function removeOrphanedPayloads(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM stored_payloads WHERE (workflow_id, sha256) IN (
       SELECT p.workflow_id, p.sha256 FROM stored_payloads p
       WHERE p.stored_at < now() - interval '${LONGEST_WITHOUT_INSTANCE}' AND NOT EXISTS (SELECT FROM instances i WHERE i.workflow_id = p.workflow_id)
       ORDER BY p.stored_at LIMIT ${MOST_REMOVED})`,
  );
  return rowCount ?? 0;
}

function digestOf(payload: Uint8Array): string {
  return createHash('sha256').update(payload).digest('hex');
}
