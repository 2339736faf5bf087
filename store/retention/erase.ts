/**
 * Erases ended instances on request. Once the transaction has committed, nothing that is read shows the instance;
 * retention deletes the rest of its rows, and a worker its workflows.
 */
import { rows, type Database, type Transaction } from '../sql/database.js';
import type { Refusal } from '../sql/refusal.js';
import { lockFold } from '../statistics/fold-instances.js';
import { foldCompletely } from '../statistics/fold.js';
import { refusalUnlessEnded, type EndedTree } from './ended-tree.js';

/** Lists of a project read these tables without the instance, so its rows must go with it. */
const LISTED_BY_THEMSELVES = [
  'jobs',
  'user_tasks',
  'incidents',
  'target_misses',
  'events',
  'event_deliveries',
] as const;

/** The fold of the statistics must not take an instance with the same id for this one. */
const FOLDED = ['folded_instances', 'target_dues'] as const;

/** Maximum erased instances looked for per call. */
const MAX_LOOKED_FOR = 20;

export type Erased = { kind: 'changed' } | Refusal<'NOT_FOUND' | 'CONFLICT'>;

/** Erases a root instance with all its descendants. */
export function eraseInstance(database: Database, request: EndedTree): Promise<Erased> {
  return database.transaction((transaction) => eraseInstanceIn(transaction, request));
}

/** As `eraseInstance`, in a transaction of the caller. */
export async function eraseInstanceIn(transaction: Transaction, { projectID, workflowID }: EndedTree): Promise<Erased> {
  // Before the rows of the instance, as when a project is deleted.
  await lockFold(transaction);
  const refusal = await refusalUnlessEnded(transaction, { projectID, workflowID }, 'Erase');
  if (refusal) return refusal;
  await foldCompletely(transaction, await withDescendants(transaction, workflowID));
  const removed = await rows<{ workflowID: string }>(
    transaction,
    `WITH removed AS (
       DELETE FROM instances WHERE workflow_id = $1 OR (root_workflow_id = $1 AND parent_workflow_id IS NOT NULL)
       RETURNING workflow_id
     ), rest AS (
       INSERT INTO removed_instances (workflow_id) SELECT workflow_id FROM removed
     )
     ${markErased('removed')} RETURNING workflow_id AS "workflowID"`,
    [workflowID],
  );
  const workflowIDs = removed.map((instance) => instance.workflowID);
  // Otherwise a connector could queue an event for delivery while it is being erased.
  await transaction.query('SELECT FROM event_subscriptions WHERE project_id = $1 ORDER BY id FOR UPDATE', [projectID]);
  for (const table of [...LISTED_BY_THEMSELVES, ...FOLDED])
    await transaction.query(`DELETE FROM ${table} WHERE workflow_id = ANY ($1::text[])`, [workflowIDs]);
  return { kind: 'changed' };
}

async function withDescendants(transaction: Transaction, workflowID: string): Promise<string[]> {
  const found = await rows<{ workflowID: string }>(
    transaction,
    `SELECT workflow_id AS "workflowID" FROM instances
     WHERE workflow_id = $1 OR (root_workflow_id = $1 AND parent_workflow_id IS NOT NULL)`,
    [workflowID],
  );
  return found.map((one) => one.workflowID);
}

/** SQL: lets a worker delete the workflows of the instances in the table `from`. */
export function markErased(from: string): string {
  return `INSERT INTO erased_instances (workflow_id) SELECT workflow_id FROM ${from}
     ON CONFLICT (workflow_id) DO UPDATE SET erased_at = now(), due_at = now()`;
}

/** An instance that was erased or redacted. */
export interface ErasedInstance {
  workflowID: string;
  erasedAt: Date;
  /** An instance was started with the same id afterward, and not redacted: its workflow must stay. */
  reused: boolean;
  /** Whether a start that was in flight at the erasure has had its time to arrive. */
  settled: boolean;
}

/** Takes instances whose workflows are due to be deleted. Each comes due again until it is forgotten. */
export async function takeErased(database: Database): Promise<ErasedInstance[]> {
  return rows<ErasedInstance>(
    database,
    `UPDATE erased_instances e SET due_at = now() + interval '30 seconds'
     WHERE workflow_id = ANY (ARRAY (
       SELECT workflow_id FROM erased_instances WHERE due_at <= now() ORDER BY due_at LIMIT ${MAX_LOOKED_FOR} FOR UPDATE SKIP LOCKED
     ))
     RETURNING workflow_id AS "workflowID", erased_at AS "erasedAt", erased_at < now() - interval '2 minutes' AS settled,
       EXISTS (SELECT FROM instances i WHERE i.workflow_id = e.workflow_id AND i.redacted_variables = '{}') AS reused`,
    [],
  );
}

/** Call it when Temporal no longer has a workflow of the instance. */
export async function forgetErased(database: Database, { workflowID, erasedAt }: ErasedInstance): Promise<void> {
  await database.query(
    // One that was erased again in the meantime stays. Dates have milliseconds only.
    `DELETE FROM erased_instances WHERE workflow_id = $1 AND date_trunc('milliseconds', erased_at) = $2`,
    [workflowID, erasedAt],
  );
}
