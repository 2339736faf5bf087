/**
 * Deletes the rows of deleted projects, one page per transaction: a process that dies loses a page, and the next one
 * continues. The project's own row goes last, because what refers to it, and its id, are free only when nothing is left.
 */
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { deleteRows, ofInstances } from '../retention/delete-rows.js';
import { forgetInstances } from '../retention/forget.js';
import { TABLES_OF_AN_INSTANCE } from '../retention/retention.js';
import { isFolded } from '../statistics/progress.js';
import { testProjectOf } from './tests.js';

const DEPENDENT_TABLES = TABLES_OF_AN_INSTANCE.filter((table) => table !== 'folded_instances');

const MAX_INSTANCES = 200;
const MAX_ROWS = 2_000;
/** Of rows whose deletion deletes others. */
const MAX_PARENTS = 200;
/**
 * Instances of a project that may wait for the deletion of their workflows from Temporal. Without this limit, the queue would
 * have every instance of a big project for days. Each project has room: a batch of erasures takes none from the others.
 */
export const MAX_IN_TEMPORAL = 1_000;

/**
 * How long requests that began before the deletion may still write, if they do not lock the project. They learn within half a
 * second that it has been deleted, and write within seconds. The id cannot be used again until then, so people wait for it.
 */
const LAST_REQUESTS = "interval '10 seconds'";

/** `waiting`: nothing can be deleted now. `busy`: another process is deleting rows of the project. */
export type PageOfProject = 'more' | 'waiting' | 'busy' | 'gone';

/** The first deleted project with an id behind `after`. */
export async function nextDeletedProject(database: Database, after: string): Promise<string | undefined> {
  const found = await firstRow<{ id: string }>(
    database,
    'SELECT id FROM projects WHERE deleted_at IS NOT NULL AND id > $1 ORDER BY id LIMIT 1',
    [after],
  );
  return found?.id;
}

/** Deletes the next rows of a deleted project. */
export async function deletePageOfProject(database: Database, projectID: string): Promise<PageOfProject> {
  return database.transaction(async (transaction) => {
    const project = await firstRow<{ settled: boolean }>(
      transaction,
      `SELECT deleted_at < now() - ${LAST_REQUESTS} AS settled FROM projects
       WHERE id = $1 AND deleted_at IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED`,
      [projectID],
    );
    if (!project) return 'busy';
    const room = MAX_ROWS - (await deleteInstances(transaction, projectID));
    const left = await deleteParts(transaction, projectID, room);
    if (left < MAX_ROWS) return 'more';
    return project.settled && (await deleteRow(transaction, projectID)) ? 'gone' : 'waiting';
  });
}

/**
 * Rows of instances, then the instances. They stay until the statistics include them, as for retention: the fold would
 * otherwise write rows of an instance that is being deleted. For the same reason, the row that says so goes with the
 * instance, in one transaction. Only as many are begun as have a place in Temporal.
 * @returns how many rows
 */
async function deleteInstances(transaction: Transaction, projectID: string): Promise<number> {
  // The locks keep workflows of ended instances from storing values after the deletion.
  const chosen = await rows<{ workflowID: string }>(
    transaction,
    `SELECT i.workflow_id AS "workflowID" FROM instances i WHERE i.project_id = $1 AND ${isFolded('i')}
     ORDER BY i.number DESC LIMIT least(${MAX_INSTANCES}, ${MAX_IN_TEMPORAL} - (
       SELECT count(*) FROM (SELECT FROM erased_instances WHERE project_id = $1 LIMIT ${MAX_IN_TEMPORAL}) waiting
     )) FOR UPDATE OF i SKIP LOCKED`,
    [projectID],
  );
  if (chosen.length === 0) return 0;
  const workflowIDs = chosen.map(({ workflowID }) => workflowID);
  let deleted = 0;
  for (const table of DEPENDENT_TABLES) {
    const most = MAX_ROWS - deleted;
    deleted += await deleteRows(transaction, { table, where: ofInstances, value: workflowIDs, most });
    if (deleted === MAX_ROWS) return deleted;
  }
  await transaction.query(
    `WITH ${forgetInstances({ from: `WHERE ${ofInstances}`, workflows: 'delete' })} DELETE FROM folded_instances WHERE workflow_id = ANY ($1::text[])`,
    [workflowIDs],
  );
  return deleted + workflowIDs.length;
}

interface Part {
  table: string;
  /** SQL: its rows of the project $1. */
  where: string;
  most?: number;
}

const ofProject = 'project_id = $1';
const inProject = (column: string, table: string) => `${column} IN (SELECT id FROM ${table} WHERE project_id = $1)`;

/** Everything that belongs to a project and not to an instance, and what retention has left of instances; dependents first. */
const PARTS: readonly Part[] = [
  { table: 'jobs', where: ofProject },
  { table: 'user_tasks', where: ofProject },
  { table: 'incidents', where: ofProject },
  { table: 'subscriptions', where: ofProject },
  { table: 'signal_deliveries', where: inProject('publication_id', 'publications') },
  { table: 'signal_payloads', where: inProject('publication_id', 'publications') },
  { table: 'publications', where: ofProject },
  { table: 'ended_publications', where: ofProject },
  { table: 'event_deliveries', where: inProject('subscription_id', 'event_subscriptions') },
  { table: 'event_subscriptions', where: ofProject },
  // Two parts, each with its index.
  { table: 'events', where: `${ofProject} AND position IS NOT NULL` },
  { table: 'events', where: `${ofProject} AND position IS NULL` },
  { table: 'hook_deliveries', where: ofProject },
  { table: 'job_workers', where: ofProject },
  { table: 'backtest_items', where: inProject('backtest_id', 'backtests') },
  { table: 'backtest_groups', where: inProject('backtest_id', 'backtests') },
  { table: 'backtests', where: ofProject },
  { table: 'batch_items', where: inProject('batch_id', 'batches') },
  { table: 'batches', where: ofProject },
  { table: 'decision_executions', where: ofProject },
  { table: 'decisions', where: ofProject },
  { table: 'decision_definitions', where: ofProject, most: MAX_PARENTS },
  { table: 'statistics', where: ofProject },
  { table: 'target_counts', where: ofProject },
  { table: 'targets', where: ofProject },
  { table: 'limit_groups', where: ofProject },
  { table: 'job_limits', where: ofProject },
  { table: 'business_id_holders', where: ofProject },
  { table: 'counting_processes', where: ofProject },
  { table: 'concurrency_groups', where: ofProject },
  { table: 'process_settings', where: ofProject },
  // Temporal has deleted the schedules of these; the others stay until it has.
  { table: 'start_timers', where: `${ofProject} AND NOT wanted AND send_at IS NULL` },
  { table: 'form_uses', where: ofProject },
  // With their start subscriptions.
  { table: 'definitions', where: ofProject, most: MAX_PARENTS },
  { table: 'deployment_items', where: inProject('deployment_id', 'deployments') },
  { table: 'forms', where: ofProject, most: MAX_PARENTS },
  { table: 'element_templates', where: ofProject, most: MAX_PARENTS },
  { table: 'deployments', where: ofProject, most: MAX_PARENTS },
  { table: 'resources', where: ofProject, most: MAX_PARENTS },
  { table: 'idempotency_keys', where: ofProject },
];

/** @returns how many more rows could have been deleted */
async function deleteParts(transaction: Transaction, projectID: string, room: number): Promise<number> {
  let left = room;
  for (const { table, where, most = MAX_ROWS } of PARTS) {
    if (left === 0) return 0;
    left -= await deleteRows(transaction, { table, where, value: projectID, most: Math.min(most, left) });
  }
  return left;
}

/** @returns whether it was deleted: not while instances wait for a place, Temporal has schedules, or tests have rows */
async function deleteRow(transaction: Transaction, projectID: string): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `DELETE FROM projects WHERE id = $1 AND NOT EXISTS (SELECT FROM instances WHERE project_id = $1)
       AND NOT EXISTS (SELECT FROM start_timers WHERE project_id = $1) AND NOT EXISTS (SELECT FROM projects WHERE id = $2)`,
    [projectID, testProjectOf(projectID)],
  );
  return rowCount === 1;
}
