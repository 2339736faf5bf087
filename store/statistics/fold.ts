/**
 * The fold of step commits into statistics. A step commit leaves a hint in `steps_to_fold`; how much of an instance is
 * folded is in `folded_instances`. Hints can therefore be lost, repeated, or processed in any order. One transaction
 * folds at a time.
 */
import { rows, type Database, type Transaction } from '../sql/database.js';
import { recordMisses } from '../targets/misses.js';
import { foldInstances, lockFold, tryLock, tryLockFold } from './fold-instances.js';
import { isFolded } from './progress.js';

const HINTS_AT_ONCE = 2_000;

export interface FoldTurn {
  /** Step commits folded. */
  steps: number;
  /** Misses of targets recorded. */
  missed: number;
  /** Whether there may be more to do at once. */
  hasMore: boolean;
  /** Whether another process folds. */
  isBusy: boolean;
}

const busy: FoldTurn = { steps: 0, missed: 0, hasMore: false, isBusy: true };

/** Folds a bounded amount. Does nothing while another process folds. */
export async function foldNext(database: Database): Promise<FoldTurn> {
  return database.transaction(async (transaction) => ((await tryLockFold(transaction)) ? foldTurn(transaction) : busy));
}

async function foldTurn(transaction: Transaction): Promise<FoldTurn> {
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
  if (unfinished.length > 0 || hints.length === HINTS_AT_ONCE) return { ...folded, hasMore: true, isBusy: false };
  // Hints of all commits before the beginning of this transaction have been found.
  if (hints.length > 0) await transaction.query('UPDATE statistics_progress SET as_of = now()');
  const { missed, hasMore } = await recordMisses(transaction);
  return { steps: folded.steps, missed: folded.missed + missed, hasMore, isBusy: false };
}

/** Folds all steps of instances that the transaction, which holds the lock of the fold, is about to remove. */
export async function foldCompletely(transaction: Transaction, workflowIDs: readonly string[]): Promise<void> {
  for (let left = workflowIDs; left.length > 0;) left = (await foldInstances(transaction, left)).unfinished;
}

/** Arbitrary, and unique in this database: one process at a time looks for unfolded steps. */
export const FIND_LOCK = 7_303_042;
const INSTANCES_AT_ONCE = 5_000;
/** From the end of a walk over all instances to the beginning of the next one. */
const REST = "interval '6 hours'";

/**
 * Leaves hints for steps without one: retention keeps their instances until they are folded. Looks at one page of
 * instances; the position is kept, so that a process that starts continues the walk.
 * @returns whether there are more pages, or whether another process is looking
 */
export async function findUnfolded(
  database: Database,
  pageSize = INSTANCES_AT_ONCE,
): Promise<'more' | 'done' | 'busy'> {
  return database.transaction(async (transaction) => {
    if (!(await tryLock(transaction, FIND_LOCK))) return 'busy';
    const [walk] = await rows<{ after: string; rests: boolean }>(
      transaction,
      `SELECT checked_through AS after, checked_through = '' AND checked_at > now() - ${REST} AS rests FROM statistics_progress`,
      [],
    );
    if (walk!.rests) return 'done';
    const last = await leaveHints(transaction, walk!.after, pageSize);
    // The last statement, because each turn of the fold changes the same row.
    await transaction.query('UPDATE statistics_progress SET checked_through = $1, checked_at = now()', [last ?? '']);
    return last === undefined ? 'done' : 'more';
  });
}

/** @returns the last instance of the page; undefined if there are no more */
async function leaveHints(transaction: Transaction, after: string, pageSize: number): Promise<string | undefined> {
  const [page] = await rows<{ last: string | null; count: number }>(
    transaction,
    `WITH page AS MATERIALIZED (
       SELECT workflow_id, project_id, step_count FROM instances WHERE workflow_id > $1 ORDER BY workflow_id LIMIT $2
     ), hinted AS (
       INSERT INTO steps_to_fold SELECT i.workflow_id FROM page i WHERE NOT ${isFolded('i')}
     )
     SELECT max(workflow_id) AS last, count(*)::integer AS count FROM page`,
    [after, pageSize],
  );
  return page!.count === pageSize ? page!.last! : undefined;
}

/** Discards all statistics and counts the histories that still exist again. What has been removed is lost. */
export async function rebuildStatistics(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockFold(transaction);
    for (const table of ['statistics', 'target_counts', 'target_dues', 'folded_instances', 'steps_to_fold'])
      await transaction.query(`DELETE FROM ${table}`);
    await transaction.query("UPDATE statistics_progress SET as_of = 'epoch', begun_at = now()");
    await transaction.query(
      "INSERT INTO steps_to_fold SELECT workflow_id FROM instances WHERE strpos(project_id, '~') = 0",
    );
  });
}
