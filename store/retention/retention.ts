/**
 * Removes data older than its project's retention: ended instances with all their descendants, evaluations of
 * decisions, batches, and backtests. Each call does a limited amount of work in one transaction, with an equal
 * share for each project that has something to remove; several processes may call at once.
 *
 * A child instance is removed with its root: not before the root has ended, and not while any descendant is running.
 */
import { rows, type Database } from '../sql/database.js';
import { deleteRows, ofInstances } from './delete-rows.js';
import { firstTurn, oneOf, takeTurn, turnTaken, turnsOfProjects, type ProjectTurn } from '../turns/project-turns.js';
import { forgetInstances } from './forget.js';
import { isFolded } from '../statistics/progress.js';

/** Maximum instances, or evaluations, removed per call. */
const MAX_REMOVED_INSTANCES = 200;
/** Maximum dependent rows of removed instances deleted per call. */
const MAX_DELETED_ROWS = 5000;

/** Tables whose rows belong to one instance, by their column `workflow_id`. */
export const TABLES_OF_AN_INSTANCE = [
  'steps',
  'far_steps',
  'commands',
  'jobs',
  'agent_turns',
  'user_tasks',
  'user_task_comments',
  'incidents',
  'subscriptions',
  'pause_waiters',
  'parents_to_follow',
  'instance_starts',
  'business_id_holders',
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

/** SQL: an ended root instance `i` of project `p` that is old enough. */
const isOldRoot = `i.project_id = p.id AND i.parent_workflow_id IS NULL AND i.status <> 'RUNNING'
           AND i.completed_at < ${BEGINNING} AND i.completed_at < now() - ${LAST_STEP_AGAIN}`;

/**
 * Removes expired instances; `deleteBehindRemoved` deletes their dependent rows.
 * @param defaultMilliseconds how long ended instances are kept if the project does not set it; undefined keeps them
 * @param turn the projects that are next; moves on
 * @returns how many; 0 if none exists in the projects that were next
 */
export async function removeEndedInstances(
  database: Database,
  defaultMilliseconds: number | undefined,
  turn = firstTurn(),
): Promise<number> {
  const { count } = await takeTurn<{ count: number }>(
    database,
    turn,
    // Only instances without children are removed, so that no child instance outlives its parent here. However many
    // children an instance has, each condition is a single index lookup: `instances_below_root` lists running ones
    // first, then the youngest. Leaves and childless roots share the limit of their project, so that a large tree takes no
    // place of another project.
    `WITH ${turnsOfProjects({ isDue: oneOf(`instances i WHERE ${isOldRoot} ORDER BY i.completed_at`), most: MAX_REMOVED_INSTANCES, after: '$2' })}, roots AS MATERIALIZED (
       SELECT due.* FROM turns p CROSS JOIN LATERAL (
         SELECT i.workflow_id, i.project_id FROM instances i
           LEFT JOIN LATERAL (
             SELECT coalesce(d.completed_at, 'infinity') AS ended_at FROM instances d
             WHERE d.root_workflow_id = i.workflow_id AND d.parent_workflow_id IS NOT NULL ORDER BY d.completed_at DESC NULLS FIRST LIMIT 1
           ) last_below ON true
         WHERE ${isOldRoot}
           AND (ended_at IS NULL OR (ended_at < ${BEGINNING} AND ended_at < now() - ${LAST_STEP_AGAIN}))
         ORDER BY i.completed_at LIMIT p.share FOR UPDATE OF i SKIP LOCKED
       ) AS due LIMIT ${MAX_REMOVED_INSTANCES}
     ), chosen AS MATERIALIZED (
       SELECT one.workflow_id FROM turns p CROSS JOIN LATERAL (
         SELECT leaf.workflow_id FROM roots r CROSS JOIN LATERAL (
           (SELECT d.workflow_id FROM instances d
            WHERE d.root_workflow_id = r.workflow_id AND d.parent_workflow_id IS NOT NULL
              AND NOT EXISTS (SELECT FROM instances c WHERE c.parent_workflow_id = d.workflow_id) LIMIT ${MAX_REMOVED_INSTANCES})
           UNION ALL SELECT r.workflow_id
           WHERE NOT EXISTS (SELECT FROM instances d WHERE d.root_workflow_id = r.workflow_id AND d.parent_workflow_id IS NOT NULL)
         ) leaf WHERE r.project_id = p.id LIMIT p.share
       ) one LIMIT ${MAX_REMOVED_INSTANCES}
     ), ${forgetInstances({ from: `USING chosen c WHERE i.workflow_id = c.workflow_id AND ${isFolded('i')}`, workflows: 'leave' })}
     SELECT (SELECT count(*)::integer FROM removed) AS count, ${turnTaken}`,
    [defaultMilliseconds ?? null],
  );
  return count;
}

/**
 * Deletes dependent rows of removed instances.
 * @returns whether there may be more
 */
export async function deleteBehindRemoved(database: Database): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const removed = await rows<{ workflowID: string }>(
      transaction,
      `SELECT workflow_id AS "workflowID" FROM removed_instances ORDER BY removed_at LIMIT ${MAX_REMOVED_INSTANCES} FOR UPDATE SKIP LOCKED`,
      [],
    );
    if (removed.length === 0) return false;
    const workflowIDs = removed.map(({ workflowID }) => workflowID);
    let left = MAX_DELETED_ROWS;
    for (const table of TABLES_OF_AN_INSTANCE) {
      left -= await deleteRows(transaction, { table, where: ofInstances, value: workflowIDs, most: left });
      if (left === 0) return true;
    }
    await transaction.query(
      `WITH gone AS (DELETE FROM removed_instances WHERE workflow_id = ANY ($1::text[]) RETURNING workflow_id)
       INSERT INTO gone_instances (workflow_id) SELECT workflow_id FROM gone ON CONFLICT DO NOTHING`,
      [workflowIDs],
    );
    return removed.length === MAX_REMOVED_INSTANCES;
  });
}

/** SQL: an evaluation `e` of project `p` that is old enough. */
const isOldExecution = `e.project_id = p.id AND e.executed_at < ${BEGINNING}`;

/**
 * Removes evaluations of decisions requested by API clients.
 * @param defaultMilliseconds as for instances
 * @returns how many; 0 if none exists in the projects that were next
 */
export async function removeOldExecutions(
  database: Database,
  defaultMilliseconds: number | undefined,
  turn = firstTurn(),
): Promise<number> {
  const { count } = await takeTurn<{ count: number }>(
    database,
    turn,
    `WITH ${turnsOfProjects({ isDue: oneOf(`decision_executions e WHERE ${isOldExecution} ORDER BY e.executed_at`), most: MAX_REMOVED_INSTANCES, after: '$2' })}, due AS MATERIALIZED (
       SELECT x.id FROM turns p CROSS JOIN LATERAL (
         SELECT e.id FROM decision_executions e WHERE ${isOldExecution} ORDER BY e.executed_at LIMIT p.share FOR UPDATE SKIP LOCKED
       ) AS x LIMIT ${MAX_REMOVED_INSTANCES}
     ), removed AS (
       DELETE FROM decision_executions e USING due WHERE e.id = due.id RETURNING 1
     )
     SELECT (SELECT count(*)::integer FROM removed) AS count, ${turnTaken}`,
    [defaultMilliseconds ?? null],
  );
  return count;
}

/** A table whose rows are removed some time after `completed_at`, and the table of their many parts. */
interface Compound {
  table: 'batches' | 'backtests';
  parts: 'batch_items' | 'backtest_items';
  /** The column of `parts` that names the row. */
  owner: 'batch_id' | 'backtest_id';
}

const batches: Compound = { table: 'batches', parts: 'batch_items', owner: 'batch_id' };
/** Its groups are few, and go with it. */
const backtests: Compound = { table: 'backtests', parts: 'backtest_items', owner: 'backtest_id' };

/**
 * Removes a completed batch of each project with its items.
 * @param defaultMilliseconds as for instances
 */
export function removeOldBatch(
  database: Database,
  defaultMilliseconds: number | undefined,
  turn = firstTurn(),
): Promise<RemovedWithParts> {
  return removeOldCompound(database, batches, defaultMilliseconds, turn);
}

/** The same for backtests. */
export function removeOldBacktest(
  database: Database,
  defaultMilliseconds: number | undefined,
  turn = firstTurn(),
): Promise<RemovedWithParts> {
  return removeOldCompound(database, backtests, defaultMilliseconds, turn);
}

/** One of each project. Its parts are deleted first, a limited number at a time. */
async function removeOldCompound(
  database: Database,
  { table, parts, owner }: Compound,
  defaultMilliseconds: number | undefined,
  turn: ProjectTurn,
): Promise<RemovedWithParts> {
  const isOld = `o.project_id = p.id AND o.completed_at < ${BEGINNING}`;
  const { removed, deleted } = await takeTurn<{ removed: number; deleted: number }>(
    database,
    turn,
    `WITH ${turnsOfProjects({ isDue: oneOf(`${table} o WHERE ${isOld} ORDER BY o.completed_at`), most: MAX_DELETED_ROWS, after: '$2' })}, due AS MATERIALIZED (
       SELECT one.id, p.share FROM turns p CROSS JOIN LATERAL (
         SELECT o.id FROM ${table} o WHERE ${isOld} ORDER BY o.completed_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ) AS one
     ), pieces AS MATERIALIZED (
       SELECT due.id, part.place, count(*) OVER (PARTITION BY due.id) > due.share AS has_more, row_number() OVER (PARTITION BY due.id) AS nth, due.share
       FROM due CROSS JOIN LATERAL (SELECT r.ctid AS place FROM ${parts} r WHERE r.${owner} = due.id LIMIT due.share + 1) AS part LIMIT ${2 * MAX_DELETED_ROWS}
     ), deleted AS (
       DELETE FROM ${parts} WHERE ctid = ANY (ARRAY (SELECT place FROM pieces WHERE has_more AND nth <= share)) RETURNING 1
     ), removed AS (
       DELETE FROM ${table} o USING due WHERE o.id = due.id AND NOT EXISTS (SELECT FROM pieces WHERE pieces.id = due.id AND has_more) RETURNING 1
     )
     SELECT (SELECT count(*)::integer FROM removed) AS removed, (SELECT count(*)::integer FROM deleted) AS deleted, ${turnTaken}`,
    [defaultMilliseconds ?? null],
  );
  return { removed, hasMore: removed + deleted > 0 };
}

export interface RemovedWithParts {
  /** Rows without their parts, at most one of a project. */
  removed: number;
  /** Whether anything was deleted, so that there may be more. */
  hasMore: boolean;
}

/**
 * Deletes the records of removed instances once no workflow can ask for them anymore.
 * @returns how many, a limited number
 */
export async function forgetGoneInstances(database: Database): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM gone_instances WHERE workflow_id IN (
       SELECT workflow_id FROM gone_instances WHERE gone_at < now() - interval '30 days'
       ORDER BY gone_at LIMIT ${MAX_DELETED_ROWS} FOR UPDATE SKIP LOCKED)`,
  );
  return rowCount ?? 0;
}
