/**
 * Erases ended instances on request. Once the transaction has committed, nothing that is read shows the instance;
 * retention deletes the rest of its rows, and a worker its workflows.
 */
import type { Pool, PoolClient } from 'pg';
import { firstRow, inTransaction, rows } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';

/** Lists of a project read these tables without the instance, so its rows must go with it. */
const LISTED_BY_THEMSELVES = ['jobs', 'user_tasks', 'incidents', 'migrating_instances'] as const;

/** Maximum erased instances looked for per call. */
const MOST_LOOKED_FOR = 20;

export interface EraseRequest {
  projectID: string;
  workflowID: string;
}

export type Erased = { kind: 'changed' } | Refusal<'NOT_FOUND' | 'CONFLICT'>;

/** Erases a root instance with all its descendants. */
export function eraseInstance(pool: Pool, request: EraseRequest): Promise<Erased> {
  return inTransaction(pool, (transaction) => eraseInstanceIn(transaction, request));
}

/** As `eraseInstance`, in a transaction of the caller. */
export async function eraseInstanceIn(
  transaction: PoolClient,
  { projectID, workflowID }: EraseRequest,
): Promise<Erased> {
  const refusal = await refusalToErase(transaction, { projectID, workflowID });
  if (refusal) return refusal;
  const removed = await rows<{ workflowID: string }>(
    transaction,
    `WITH removed AS (
       DELETE FROM instances WHERE workflow_id = $1 OR (root_workflow_id = $1 AND parent_workflow_id IS NOT NULL)
       RETURNING workflow_id
     ), rest AS (
       INSERT INTO removed_instances (workflow_id) SELECT workflow_id FROM removed
     )
     INSERT INTO erased_instances (workflow_id) SELECT workflow_id FROM removed
     ON CONFLICT (workflow_id) DO UPDATE SET erased_at = now(), look_at = now()
     RETURNING workflow_id AS "workflowID"`,
    [workflowID],
  );
  const workflowIDs = removed.map((instance) => instance.workflowID);
  for (const table of LISTED_BY_THEMSELVES)
    await transaction.query(`DELETE FROM ${table} WHERE workflow_id = ANY ($1::text[])`, [workflowIDs]);
  return { kind: 'changed' };
}

async function refusalToErase(
  transaction: PoolClient,
  { projectID, workflowID }: EraseRequest,
): Promise<Refusal<'NOT_FOUND' | 'CONFLICT'> | undefined> {
  const instance = await firstRow<{ status: string; parent: string | null; root: string }>(
    transaction,
    `SELECT status, parent_workflow_id AS parent, root_workflow_id AS root
     FROM instances WHERE project_id = $1 AND workflow_id = $2 FOR UPDATE`,
    [projectID, workflowID],
  );
  if (!instance) return refused('NOT_FOUND', `There is no instance ${workflowID} in this project`);
  if (instance.parent !== null) {
    return refused(
      'CONFLICT',
      `Instance ${workflowID} was called by another instance. Erase its root instance ${instance.root}.`,
    );
  }
  if (instance.status === 'RUNNING')
    return refused('CONFLICT', `Instance ${workflowID} is RUNNING. Erase it after it has ended.`);
  const running = await firstRow<{ workflowID: string }>(
    transaction,
    `SELECT workflow_id AS "workflowID" FROM instances
     WHERE root_workflow_id = $1 AND parent_workflow_id IS NOT NULL AND status = 'RUNNING' LIMIT 1`,
    [workflowID],
  );
  if (!running) return undefined;
  return refused(
    'CONFLICT',
    `Instance ${running.workflowID} below ${workflowID} is RUNNING. Erase the root after all have ended.`,
  );
}

export interface ErasedInstance {
  workflowID: string;
  erasedAt: Date;
  /** An instance was started with the same id afterward; its workflow must stay. */
  reused: boolean;
  /** Whether a start that was in flight at the erasure has had its time to arrive. */
  settled: boolean;
}

/** Takes instances whose workflows are due to be deleted. Each comes due again until it is forgotten. */
export async function takeErased(pool: Pool): Promise<ErasedInstance[]> {
  return rows<ErasedInstance>(
    pool,
    `UPDATE erased_instances e SET look_at = now() + interval '30 seconds'
     WHERE workflow_id = ANY (ARRAY (
       SELECT workflow_id FROM erased_instances WHERE look_at <= now() ORDER BY look_at LIMIT ${MOST_LOOKED_FOR} FOR UPDATE SKIP LOCKED
     ))
     RETURNING workflow_id AS "workflowID", erased_at AS "erasedAt", erased_at < now() - interval '2 minutes' AS settled,
       EXISTS (SELECT FROM instances i WHERE i.workflow_id = e.workflow_id) AS reused`,
    [],
  );
}

/** Temporal knows nothing of the instance anymore. */
export async function forgetErased(pool: Pool, { workflowID, erasedAt }: ErasedInstance): Promise<void> {
  await pool.query(
    // One that was erased again in the meantime stays. Dates have milliseconds only.
    `DELETE FROM erased_instances WHERE workflow_id = $1 AND date_trunc('milliseconds', erased_at) = $2`,
    [workflowID, erasedAt],
  );
}
