/**
 * The fold of step commits into statistics. A step commit leaves a hint in `steps_to_fold`; how much of an instance is
 * folded is in `folded_instances`. Hints can therefore be lost, repeated, or processed in any order. One transaction
 * folds at a time.
 */
import type { Pool, PoolClient } from 'pg';
import { inTransaction, rows } from '../sql/database.js';
import { recordMisses } from '../targets/misses.js';
import { foldInstances, lockFold, tryLockFold } from './fold-instances.js';

const HINTS_AT_ONCE = 2_000;

export interface FoldTurn {
  /** Step commits folded. */
  steps: number;
  /** Misses of targets recorded. */
  missed: number;
  /** Whether there may be more to do at once. */
  hasMore: boolean;
}

const nothing: FoldTurn = { steps: 0, missed: 0, hasMore: false };

/** Folds a bounded amount. Does nothing while another process folds. */
export async function foldNext(pool: Pool): Promise<FoldTurn> {
  return inTransaction(pool, async (transaction) =>
    (await tryLockFold(transaction)) ? foldTurn(transaction) : nothing,
  );
}

async function foldTurn(transaction: PoolClient): Promise<FoldTurn> {
  const hints = await rows<{ workflowID: string }>(
    transaction,
    `DELETE FROM steps_to_fold WHERE ctid = ANY (ARRAY(SELECT ctid FROM steps_to_fold LIMIT ${HINTS_AT_ONCE}))
     RETURNING workflow_id AS "workflowID"`,
    [],
  );
  const { unfinished, ...folded } = await foldInstances(transaction, [
    ...new Set(hints.map(({ workflowID }) => workflowID)),
  ]);
  if (unfinished.length > 0)
    await transaction.query('INSERT INTO steps_to_fold SELECT * FROM unnest($1::text[])', [unfinished]);
  if (unfinished.length > 0 || hints.length === HINTS_AT_ONCE) return { ...folded, hasMore: true };
  // Hints of all commits before the beginning of this transaction have been found.
  if (hints.length > 0) await transaction.query('UPDATE statistics_progress SET as_of = now()');
  const { missed, hasMore } = await recordMisses(transaction);
  return { steps: folded.steps, missed: folded.missed + missed, hasMore };
}

/** Folds all steps of instances that the transaction, which holds the lock of the fold, is about to remove. */
export async function foldCompletely(transaction: PoolClient, workflowIDs: readonly string[]): Promise<void> {
  for (let left = workflowIDs; left.length > 0;) left = (await foldInstances(transaction, left)).unfinished;
}

/** Leaves hints for steps without one, which builds before the statistics commit while a fleet is updated. */
export async function findUnfolded(pool: Pool): Promise<void> {
  await pool.query(
    `INSERT INTO steps_to_fold SELECT i.workflow_id FROM instances i LEFT JOIN folded_instances f ON f.workflow_id = i.workflow_id
     WHERE i.park_count > coalesce(f.steps, 0) AND strpos(i.project_id, '~') = 0`,
  );
}

/** Discards all statistics and counts the histories that still exist again. What has been removed is lost. */
export async function rebuildStatistics(pool: Pool): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    await lockFold(transaction);
    for (const table of ['statistics', 'target_counts', 'target_dues', 'folded_instances', 'steps_to_fold'])
      await transaction.query(`DELETE FROM ${table}`);
    await transaction.query("UPDATE statistics_progress SET as_of = 'epoch'");
    await transaction.query(
      "INSERT INTO steps_to_fold SELECT workflow_id FROM instances WHERE strpos(project_id, '~') = 0",
    );
  });
}
