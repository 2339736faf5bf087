/**
 * Limits of the jobs of a task type: how many of a key are leased at once, and in any window of time. A limit acts on
 * the next lease and ends none.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ordinaryProject, testProjectOf } from '../../projects/tests.js';
import { firstRow, rows, type Database, type Queryable } from '../../sql/database.js';
import { deletePage, type KeyOfRow, type PagedDelete } from '../../sql/delete-page.js';
import { indexedText } from '../../sql/text.js';

export interface Rate {
  count: number;
  perMilliseconds: number;
}

/** At least one of both. */
export interface LimitSettings {
  concurrent?: number | undefined;
  rate?: Rate | undefined;
}

export interface LimitChange extends LimitSettings {
  projectID: string;
  taskType: string;
  actor: string;
}

/** Leases that count from now on, per statement. */
const COUNTED_AT_ONCE = 10_000;
/** While others change the jobs that are left. */
const PAUSE_MS = 10;

/** SQL: whether the row `l` of `job_limits` has a limit. */
export function isLimited(l: string): string {
  return `(${l}.concurrent IS NOT NULL OR ${l}.rate_count IS NOT NULL)`;
}

/** SQL: the row `l` of `job_limits` for jobs of the project, also for those of its tests. */
export function limitOf(l: string, project: string, taskType: string): string {
  return `${l}.project_id = ${ordinaryProject(project)} AND ${l}.task_type = ${taskType} AND ${isLimited(l)}`;
}

/** Replaces the limit of a type. No job of it is leased before `countLeases`. */
export async function writeLimit(database: Database, change: LimitChange): Promise<void> {
  const { projectID, taskType, concurrent, rate, actor } = change;
  await database.transaction(async (transaction) => {
    await transaction.query(
      `INSERT INTO job_limits AS l (project_id, task_type, concurrent, rate_count, rate_per_ms, counting, updated_by, updated_at)
       VALUES ($1, $2, $3, $4, $5, gen_random_uuid(), $6, now())
       ON CONFLICT (project_id, task_type) DO UPDATE SET concurrent = excluded.concurrent, rate_count = excluded.rate_count,
         rate_per_ms = excluded.rate_per_ms, updated_by = excluded.updated_by, updated_at = excluded.updated_at,
         counting = CASE WHEN ${isLimited('l')} THEN l.counting ELSE excluded.counting END`,
      [projectID, indexedText(taskType), concurrent ?? null, rate?.count ?? null, rate?.perMilliseconds ?? null, actor],
    );
    // A later rate is counted from its beginning.
    if (!rate)
      await transaction.query(
        `UPDATE limit_groups SET counted_at = '{}', counted = '{}' WHERE project_id = $1 AND task_type = $2 AND counted_at <> '{}'`,
        [projectID, indexedText(taskType)],
      );
  });
}

/** Replaces the limit of a type. Once this returns, existing leases count. */
export async function putLimit(database: Database, change: LimitChange): Promise<void> {
  await writeLimit(database, change);
  await countLeases(database, change.projectID, change.taskType);
}

/** Removes the limit of a type, if it has one. */
export async function deleteLimit(database: Database, projectID: string, taskType: string): Promise<void> {
  const of = [projectID, indexedText(taskType)];
  await database.transaction(async (transaction) => {
    // In this order, so that no poll serves a group in between.
    await transaction.query('SELECT FROM job_limits WHERE project_id = $1 AND task_type = $2 FOR UPDATE', of);
    await transaction.query('DELETE FROM limit_groups WHERE project_id = $1 AND task_type = $2', of);
    await transaction.query(
      `UPDATE job_limits SET concurrent = NULL, rate_count = NULL, rate_per_ms = NULL, counting = NULL, updated_by = NULL, updated_at = NULL
       WHERE project_id = $1 AND task_type = $2 AND keyed`,
      of,
    );
    await transaction.query('DELETE FROM job_limits WHERE project_id = $1 AND task_type = $2 AND NOT keyed', of);
  });
}

/**
 * Counts the leases from before a type was limited. Until that is done, no poll leases jobs of the type; a poll does it if
 * the process that set the limit is gone.
 */
export async function countLeases(database: Database, projectID: string, taskType: string): Promise<void> {
  const of = [projectID, indexedText(taskType)];
  const limit = await firstRow<{ counting: string | null }>(
    database,
    'SELECT counting FROM job_limits WHERE project_id = $1 AND task_type = $2',
    of,
  );
  if (!limit?.counting) return;
  await awaitPolls(database);
  while (!(await countSome(database, projectID, taskType)));
  // The limit may have been removed and set again.
  await database.query(
    'UPDATE job_limits SET counting = NULL WHERE project_id = $1 AND task_type = $2 AND counting = $3',
    [...of, limit.counting],
  );
}

/**
 * Waits for polls that began before the limit was written. Every poll writes to `job_workers` and has locked it before it
 * sees anything, so later ones see the limit.
 */
async function awaitPolls(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('LOCK TABLE job_workers IN SHARE MODE');
  });
}

/** @returns whether none is left */
async function countSome(database: Database, projectID: string, taskType: string): Promise<boolean> {
  // Without waiting for locks: a step that ends several of these jobs could wait for this statement in turn.
  const [found] = await rows<{ counted: number; left: number }>(
    database,
    `WITH uncounted AS MATERIALIZED (
       SELECT workflow_id, number FROM jobs
       WHERE project_id = ANY($1::text[]) AND task_type = $2 AND status = 'PENDING' AND available_at > now() AND lock_expires_at > now() AND NOT counted
       LIMIT ${COUNTED_AT_ONCE}
     ), locked AS MATERIALIZED (
       SELECT j.workflow_id, j.number FROM uncounted u JOIN jobs j USING (workflow_id, number) FOR UPDATE OF j SKIP LOCKED
     ), counted AS (
       UPDATE jobs j SET counted = true FROM locked l WHERE j.workflow_id = l.workflow_id AND j.number = l.number RETURNING 1
     )
     SELECT (SELECT count(*) FROM counted)::integer AS counted, (SELECT count(*) FROM uncounted)::integer AS left`,
    [[projectID, testProjectOf(projectID)], indexedText(taskType)],
  );
  if (found!.left === 0) return true;
  if (found!.counted === 0) await delay(PAUSE_MS);
  return false;
}

/** Records that jobs of a type have limit keys, before the first one is written. */
export async function noteKeyedTypes(
  database: Queryable,
  workflowID: string,
  taskTypes: readonly string[],
): Promise<void> {
  await database.query(
    `INSERT INTO job_limits (project_id, task_type, keyed)
     SELECT ${ordinaryProject('i.project_id')}, t.task_type, true FROM instances i, unnest($2::text[]) t(task_type)
     WHERE i.workflow_id = $1 AND NOT EXISTS (
       SELECT FROM job_limits l WHERE l.project_id = ${ordinaryProject('i.project_id')} AND l.task_type = t.task_type AND l.keyed)
     ORDER BY t.task_type
     ON CONFLICT (project_id, task_type) DO UPDATE SET keyed = true`,
    [workflowID, [...new Set(taskTypes.map(indexedText))]],
  );
}

const oldGroups: PagedDelete = {
  table: 'limit_groups',
  key: ['project_id', 'task_type', 'in_tests', 'limit_group'],
  // Longer than any window.
  condition: "limit_groups.served_at < now() - interval '2 days'",
  pageSize: 5_000,
};

/** Deletes keys without a lease for two days, a page at a time; see `deletePage`. */
export function forgetOldGroups(database: Queryable, after?: KeyOfRow): Promise<KeyOfRow | undefined> {
  return deletePage(database, oldGroups, after);
}
