/**
 * Removes data older than its project's retention: ended instances with all their descendants, evaluations of
 * decisions, results of migrations, and batches. Each call does a limited amount of work in one transaction; several processes
 * may call at once.
 *
 * A child instance is removed with its root: not before the root has ended, and not while any descendant is running.
 */
import type { Pool, PoolClient } from 'pg';
import { firstRow, inTransaction, rows } from '../sql/database.js';
import { isFolded } from '../statistics/progress.js';

/** Maximum instances, or evaluations, removed per call. */
const MOST_REMOVED = 200;
/** Maximum dependent rows of removed instances deleted per call. */
const MOST_DELETED = 5000;

/** Tables whose rows belong to one instance, by their column `workflow_id`. */
export const TABLES_OF_AN_INSTANCE = [
  'steps',
  'far_steps',
  'commands',
  'jobs',
  'user_tasks',
  'user_task_changes',
  'user_task_comments',
  'incidents',
  'subscriptions',
  'suspension_changes',
  'pause_waiters',
  'instance_starts',
  'stored_payloads',
  'folded_instances',
  'target_dues',
  'target_misses',
  'redacting_instances',
] as const;

/**
 * An instance of project `p` is removed if it ended before this time; null keeps it. `$1` is the default in
 * milliseconds.
 */
const BEGINNING = `now() - make_interval(secs => coalesce(p.history_retention_ms, $1::float8) / 1000)`;

/**
 * Minimum age of an ended instance, however short its retention. If the workflow task of its last step is lost, the
 * workflow repeats that step and reads the rows of the instance.
 */
const LAST_STEP_AGAIN = "interval '10 minutes'";

/**
 * Removes expired instances; `deleteBehindRemoved` deletes their dependent rows.
 * @param defaultMilliseconds how long ended instances are kept if the project does not set it; undefined keeps them
 * @returns how many; 0 if none exists
 */
export async function removeEndedInstances(pool: Pool, defaultMilliseconds: number | undefined): Promise<number> {
  const removed = await rows(
    pool,
    // Only instances without children are removed, so that no child instance outlives its parent here. However many
    // children an instance has, each condition is a single index lookup: `instances_below_root` lists running ones
    // first, then the youngest.
    `WITH roots AS MATERIALIZED (
       SELECT due.workflow_id FROM projects p CROSS JOIN LATERAL (
         SELECT i.workflow_id FROM instances i
           LEFT JOIN LATERAL (
             SELECT coalesce(d.completed_at, 'infinity') AS ended_at FROM instances d
             WHERE d.root_workflow_id = i.workflow_id AND d.parent_workflow_id IS NOT NULL ORDER BY d.completed_at DESC NULLS FIRST LIMIT 1
           ) last_below ON true
         WHERE i.project_id = p.id AND i.parent_workflow_id IS NULL AND i.status <> 'RUNNING'
           AND i.completed_at < ${BEGINNING} AND i.completed_at < now() - ${LAST_STEP_AGAIN}
           AND (ended_at IS NULL OR (ended_at < ${BEGINNING} AND ended_at < now() - ${LAST_STEP_AGAIN}))
         ORDER BY i.completed_at LIMIT ${MOST_REMOVED} FOR UPDATE OF i SKIP LOCKED
       ) AS due LIMIT ${MOST_REMOVED}
     ), chosen AS MATERIALIZED (
       SELECT leaf.workflow_id FROM roots r CROSS JOIN LATERAL (
         SELECT d.workflow_id FROM instances d
         WHERE d.root_workflow_id = r.workflow_id AND d.parent_workflow_id IS NOT NULL
           AND NOT EXISTS (SELECT FROM instances c WHERE c.parent_workflow_id = d.workflow_id) LIMIT ${MOST_REMOVED}
       ) leaf
       UNION ALL SELECT workflow_id FROM roots r
       WHERE NOT EXISTS (SELECT FROM instances d WHERE d.root_workflow_id = r.workflow_id AND d.parent_workflow_id IS NOT NULL)
       LIMIT ${MOST_REMOVED}
     ), removed AS (
       DELETE FROM instances i USING chosen c WHERE i.workflow_id = c.workflow_id AND ${isFolded('i')} RETURNING i.workflow_id
     )
     INSERT INTO removed_instances (workflow_id) SELECT workflow_id FROM removed RETURNING workflow_id`,
    [defaultMilliseconds ?? null],
  );
  return removed.length;
}

/**
 * Deletes dependent rows of removed instances.
 * @returns whether there may be more
 */
export async function deleteBehindRemoved(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (transaction) => {
    const removed = await rows<{ workflowID: string }>(
      transaction,
      `SELECT workflow_id AS "workflowID" FROM removed_instances ORDER BY removed_at LIMIT ${MOST_REMOVED} FOR UPDATE SKIP LOCKED`,
      [],
    );
    if (removed.length === 0) return false;
    const workflowIDs = removed.map(({ workflowID }) => workflowID);
    let left = MOST_DELETED;
    for (const table of TABLES_OF_AN_INSTANCE) {
      left -= await deleteRows(transaction, table, workflowIDs, left);
      if (left === 0) return true;
    }
    await transaction.query(
      `WITH gone AS (DELETE FROM removed_instances WHERE workflow_id = ANY ($1::text[]) RETURNING workflow_id)
       INSERT INTO gone_instances (workflow_id) SELECT workflow_id FROM gone ON CONFLICT DO NOTHING`,
      [workflowIDs],
    );
    return removed.length === MOST_REMOVED;
  });
}

async function deleteRows(
  transaction: PoolClient,
  table: string,
  workflowIDs: readonly string[],
  most: number,
): Promise<number> {
  const { rowCount } = await transaction.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE workflow_id = ANY ($1::text[]) LIMIT $2))`,
    [workflowIDs, most],
  );
  return rowCount ?? 0;
}

/**
 * Removes evaluations of decisions requested by API clients.
 * @param defaultMilliseconds as for instances
 * @returns how many; 0 if none exists
 */
export async function removeOldExecutions(pool: Pool, defaultMilliseconds: number | undefined): Promise<number> {
  const removed = await firstRow<{ count: number }>(
    pool,
    `WITH due AS MATERIALIZED (
       SELECT x.id FROM projects p CROSS JOIN LATERAL (
         SELECT e.id FROM decision_executions e WHERE e.project_id = p.id AND e.executed_at < ${BEGINNING}
         ORDER BY e.executed_at LIMIT ${MOST_REMOVED} FOR UPDATE SKIP LOCKED
       ) AS x LIMIT ${MOST_REMOVED}
     ), removed AS (
       DELETE FROM decision_executions e USING due WHERE e.id = due.id RETURNING 1
     )
     SELECT count(*)::int AS count FROM removed`,
    [defaultMilliseconds ?? null],
  );
  return removed!.count;
}

/**
 * Removes a completed migration with the outcomes of its instances.
 * @param defaultMilliseconds as for instances
 * @returns how many, at most 1; 0 if none exists
 */
export async function removeOldMigration(pool: Pool, defaultMilliseconds: number | undefined): Promise<number> {
  const removed = await rows(
    pool,
    `DELETE FROM instance_migrations WHERE id = (
       SELECT m.id FROM instance_migrations m JOIN projects p ON p.id = m.project_id
       WHERE m.completed_at < ${BEGINNING} LIMIT 1 FOR UPDATE OF m SKIP LOCKED
     ) RETURNING id`,
    [defaultMilliseconds ?? null],
  );
  return removed.length;
}

/**
 * Removes a completed batch with its items.
 * @param defaultMilliseconds as for instances
 * @returns how many, at most 1; 0 if none exists
 */
export async function removeOldBatch(pool: Pool, defaultMilliseconds: number | undefined): Promise<number> {
  const removed = await rows(
    pool,
    `DELETE FROM batches WHERE id = (
       SELECT b.id FROM projects p JOIN batches b ON b.project_id = p.id
       WHERE b.completed_at < ${BEGINNING} LIMIT 1 FOR UPDATE OF b SKIP LOCKED
     ) RETURNING id`,
    [defaultMilliseconds ?? null],
  );
  return removed.length;
}

/**
 * Deletes the records of removed instances once no workflow can ask for them anymore.
 * @returns how many, a limited number
 */
export async function forgetGoneInstances(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM gone_instances WHERE workflow_id IN (SELECT workflow_id FROM gone_instances WHERE gone_at < now() - interval '30 days' ORDER BY gone_at LIMIT ${MOST_DELETED})`,
  );
  return rowCount ?? 0;
}
