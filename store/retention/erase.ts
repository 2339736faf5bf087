/**
 * Erases ended instances on request. Once the transaction has committed, nothing that is read shows the instance;
 * retention deletes the rest of its rows, and a worker its workflows.
 */
import { rows, type Database, type Queryable, type Transaction } from '../sql/database.js';
import type { Refusal } from '../sql/refusal.js';
import { foldInstances, lockFold, tryLockFold } from '../statistics/fold-instances.js';
import { foldCompletely } from '../statistics/fold.js';
import { isFolded } from '../statistics/progress.js';
import { firstTurn, takeTurnForRows, turnsOfDue, turnTaken } from '../turns/project-turns.js';
import { refusalUnlessEnded, type EndedTree } from './ended-tree.js';
import { forgetInstances } from './forget.js';

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
const FOLDED_AT_ONCE = 200;
/** More than an instance can have descendants. */
const ALL = 2_147_483_647;

export type Erased = { kind: 'changed' } | Refusal<'NOT_FOUND' | 'CONFLICT'>;

/** Erases a root instance with all its descendants. */
export async function eraseInstance(database: Database, request: EndedTree): Promise<Erased> {
  await foldTree(database, request);
  return database.transaction((transaction) => eraseInstanceIn(transaction, request));
}

/** As `eraseInstance`, in a transaction of the caller, who calls `foldTree` or `tryFoldTree` before it. */
export async function eraseInstanceIn(transaction: Transaction, { projectID, workflowID }: EndedTree): Promise<Erased> {
  const refusal = await refusalUnlessEnded(transaction, { projectID, workflowID }, 'Erase');
  if (refusal) return refusal;
  await foldRest(transaction, { projectID, workflowID });
  const removed = await rows<{ workflowID: string }>(
    transaction,
    `WITH ${forgetInstances({ from: `WHERE ${isInTree('i')}`, workflows: 'delete' })} SELECT workflow_id AS "workflowID" FROM removed`,
    [workflowID],
  );
  const workflowIDs = removed.map((instance) => instance.workflowID);
  // Otherwise a connector could queue an event for delivery while it is being erased.
  await transaction.query('SELECT FROM event_subscriptions WHERE project_id = $1 ORDER BY id FOR UPDATE', [projectID]);
  for (const table of [...LISTED_BY_THEMSELVES, ...FOLDED])
    await transaction.query(`DELETE FROM ${table} WHERE workflow_id = ANY ($1::text[])`, [workflowIDs]);
  return { kind: 'changed' };
}

/** SQL: whether the instance in the row `i` is in the tree with the root $1. */
const isInTree = (i: string) =>
  `(${i}.workflow_id = $1 OR (${i}.root_workflow_id = $1 AND ${i}.parent_workflow_id IS NOT NULL))`;

/** Of a tree whose steps the statistics lack, because an instance has just ended or the fold is late. */
async function unfolded(database: Queryable, { projectID, workflowID }: EndedTree, most: number): Promise<string[]> {
  const found = await rows<{ workflowID: string }>(
    database,
    `SELECT i.workflow_id AS "workflowID" FROM instances i WHERE ${isInTree('i')} AND i.project_id = $2 AND NOT ${isFolded('i')}
       AND NOT EXISTS (SELECT FROM instances r WHERE ${isInTree('r')} AND r.status = 'RUNNING')
     LIMIT $3`,
    [workflowID, projectID, most],
  );
  return found.map((one) => one.workflowID);
}

/**
 * Adds what the statistics lack of an ended tree, in short transactions: one process at a time folds, and all others wait
 * for it. Does nothing while an instance of the tree is running.
 */
export async function foldTree(database: Database, tree: EndedTree): Promise<void> {
  await foldUnder(database, tree, async (transaction) => {
    await lockFold(transaction);
    return true;
  });
}

/**
 * As `foldTree`, without waiting.
 * @param until as in `performance.now()`: the rest is left to a later call
 * @returns whether nothing is left; false if another process folds, or the time is over
 */
export function tryFoldTree(database: Database, tree: EndedTree, until: number): Promise<boolean> {
  return foldUnder(database, tree, async (transaction) => performance.now() < until && tryLockFold(transaction));
}

async function foldUnder(
  database: Database,
  tree: EndedTree,
  lock: (transaction: Transaction) => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    const left = await unfolded(database, tree, FOLDED_AT_ONCE);
    if (left.length === 0) return true;
    const isLocked = await database.transaction(async (transaction) => {
      if (!(await lock(transaction))) return false;
      await foldInstances(transaction, left);
      return true;
    });
    if (!isLocked) return false;
  }
}

/** Nothing as a rule, so that the transaction does not hold the lock of the fold: see `foldTree`. */
async function foldRest(transaction: Transaction, tree: EndedTree): Promise<void> {
  const left = await unfolded(transaction, tree, ALL);
  if (left.length === 0) return;
  await lockFold(transaction);
  await foldCompletely(transaction, left);
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

/**
 * Takes instances whose workflows are due to be deleted, an equal share of each of the next projects. Each comes due again
 * until it is forgotten.
 * @param projects the projects that are next; moves on
 */
export async function takeErased(database: Database, projects = firstTurn()): Promise<ErasedInstance[]> {
  const due = { table: 'erased_instances', where: 'true', time: 'due_at' };
  const found = await takeTurnForRows<Omit<ErasedInstance, 'workflowID'> & { workflowID: string | null }>(
    database,
    projects,
    `WITH RECURSIVE ${turnsOfDue({ ...due, most: String(MAX_LOOKED_FOR), after: '$1' })}, due AS (
       SELECT e.workflow_id FROM turns p CROSS JOIN LATERAL (
         SELECT workflow_id FROM erased_instances WHERE project_id = p.project_id AND due_at <= now()
         ORDER BY due_at LIMIT p.share FOR UPDATE SKIP LOCKED
       ) e LIMIT ${MAX_LOOKED_FOR}
     ), taken AS (
       UPDATE erased_instances e SET due_at = now() + interval '30 seconds' FROM due WHERE e.workflow_id = due.workflow_id
       RETURNING e.workflow_id AS "workflowID", erased_at AS "erasedAt", erased_at < now() - interval '2 minutes' AS settled,
         EXISTS (SELECT FROM instances i WHERE i.workflow_id = e.workflow_id AND i.redacted_variables = '{}') AS reused
     )
     SELECT turn.*, t.* FROM (SELECT ${turnTaken}) turn LEFT JOIN taken t ON true`,
    [],
  );
  return found.flatMap(({ workflowID, erasedAt, settled, reused }) =>
    workflowID === null ? [] : { workflowID, erasedAt, settled, reused },
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
