/** Process instances in lists and details. */
import type { InstanceStatus } from '@perdure/engine/state/state.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { firstRow, rows, type Queryable } from '../sql/database.js';
import { countAll, Filter, readRows } from '../sql/page.js';
import { isOverTarget } from '../targets/over-target.js';
import { isPausedByAncestor } from './paused.js';

export interface Instance {
  workflowID: string;
  projectID: string;
  definitionID: string;
  /** The version it was started with, if it has been migrated since. */
  startedDefinitionID: string | null;
  resourceID: string;
  processID: string;
  processName: string | null;
  processVersion: number;
  graphSha256: string;
  parentWorkflowID: string | null;
  businessID: string | null;
  status: InstanceStatus;
  failureReason: string | null;
  startedBy: string | null;
  /** It waits for a place of its process, and has not begun. */
  queued: boolean;
  /** The ended instance that it repeats. */
  restartedFrom: string | null;
  /** The system that it was imported from, its id there, and who started it there. */
  importedSystem: string | null;
  importedID: string | null;
  importedStartedBy: string | null;
  /** Names of variables whose values were redacted. */
  redactedVariables: string[];
  createdAt: Date;
  completedAt: Date | null;
  /** Its own or those of its descendants. */
  hasIncident: boolean;
  /** Whether it takes, or took, longer than its target. */
  overTarget: boolean;
  suspendedAt: Date | null;
  suspendedBy: string | null;
  suspendReason: string | null;
  definitionSuspendedAt: Date | null;
  definitionSuspendedBy: string | null;
  definitionSuspendReason: string | null;
  /** Whether it is running and its definition is suspended. */
  definitionSuspended: boolean;
  /** Whether it is running, and an ancestor or an ancestor's definition is suspended. */
  parentSuspended: boolean;
}

export const instanceJoins = 'JOIN definitions d ON d.id = i.definition_id';

export const instanceColumns = `
  i.workflow_id AS "workflowID", i.project_id AS "projectID", i.definition_id AS "definitionID",
  i.started_definition_id AS "startedDefinitionID", d.resource_id AS "resourceID",
  d.process_id AS "processID", d.process_name AS "processName", d.version AS "processVersion", d.graph_sha256 AS "graphSha256",
  i.parent_workflow_id AS "parentWorkflowID", i.business_id AS "businessID", i.status, i.failure_reason AS "failureReason",
  i.started_by AS "startedBy", i.status = 'RUNNING' AND i.queued AS queued, i.restarted_from AS "restartedFrom",
  i.imported_system AS "importedSystem", i.imported_id AS "importedID", i.imported_started_by AS "importedStartedBy", i.redacted_variables AS "redactedVariables",
  i.created_at AS "createdAt", i.completed_at AS "completedAt", i.open_incidents > 0 AS "hasIncident",
  ${isOverTarget('i')} AS "overTarget",
  i.suspended_at AS "suspendedAt", i.suspended_by AS "suspendedBy", i.suspend_reason AS "suspendReason",
  d.suspended_at AS "definitionSuspendedAt", d.suspended_by AS "definitionSuspendedBy", d.suspend_reason AS "definitionSuspendReason",
  i.status = 'RUNNING' AND d.suspended_at IS NOT NULL AS "definitionSuspended",
  i.status = 'RUNNING' AND ${isPausedByAncestor('i')} AS "parentSuspended"`;

export async function findInstance(
  database: Queryable,
  projectID: string,
  workflowID: string,
): Promise<Instance | undefined> {
  return firstRow<Instance>(
    database,
    `SELECT ${instanceColumns} FROM instances i ${instanceJoins} WHERE i.project_id = $1 AND i.workflow_id = $2`,
    [projectID, workflowID],
  );
}

/** The child instances, in the order of the calls. */
export async function listChildren(database: Queryable, projectID: string, workflowID: string): Promise<Instance[]> {
  return rows<Instance>(
    database,
    `SELECT ${instanceColumns} FROM instances i ${instanceJoins} WHERE i.project_id = $1 AND i.parent_workflow_id = $2 ORDER BY i.number`,
    [projectID, workflowID],
  );
}

/** The process's own variables as of the last step commit. */
export async function readVariables(
  database: Queryable,
  projectID: string,
  workflowID: string,
): Promise<Variables | undefined> {
  const row = await firstRow<{ variables: Variables }>(
    database,
    'SELECT variables FROM instances WHERE project_id = $1 AND workflow_id = $2',
    [projectID, workflowID],
  );
  return row?.variables;
}

/** The data that the reconciler compares with Temporal. */
export interface RunningInstance {
  workflowID: string;
  /** Increases; the next page starts after it. */
  number: number;
  /** Number of its step commits. */
  stepCount: number;
  /** Its start is sent until its first step; otherwise Temporal must know it. */
  awaitsStart: boolean;
  createdAt: Date;
}

/**
 * Running instances in order of their start, without queued ones, which have no workflow.
 * @param after number of the last instance of the previous page; 0 for the first page
 * @param olderThanMilliseconds omits instances that were written only recently
 */
export async function runningInstances(
  database: Queryable,
  { after, limit, olderThanMilliseconds }: { after: number; limit: number; olderThanMilliseconds: number },
): Promise<RunningInstance[]> {
  return rows<RunningInstance>(
    database,
    `SELECT workflow_id AS "workflowID", number::float8 AS number, step_count AS "stepCount", created_at AS "createdAt",
       step_count = 0 OR EXISTS (SELECT FROM instance_starts s WHERE s.workflow_id = instances.workflow_id) AS "awaitsStart"
     FROM instances WHERE status = 'RUNNING' AND NOT queued AND number > $1 AND created_at < now() - $2 * interval '1 millisecond'
     ORDER BY number LIMIT $3`,
    [after, olderThanMilliseconds, limit],
  );
}

/** Ids of the newest running instances that have a step commit. */
export async function newestWithSteps(
  database: Queryable,
  { limit, olderThanMilliseconds }: { limit: number; olderThanMilliseconds: number },
): Promise<string[]> {
  const found = await rows<{ workflowID: string }>(
    database,
    `SELECT workflow_id AS "workflowID" FROM instances
     WHERE status = 'RUNNING' AND step_count > 0 AND created_at < now() - $1 * interval '1 millisecond' ORDER BY number DESC LIMIT $2`,
    [olderThanMilliseconds, limit],
  );
  return found.map(({ workflowID }) => workflowID);
}

/** Whether at least `count` instances are running. Counting stops there. */
export async function areAtLeastRunning(database: Queryable, count: number): Promise<boolean> {
  const [found] = await rows<{ running: number }>(
    database,
    "SELECT count(*)::int AS running FROM (SELECT 1 FROM instances WHERE status = 'RUNNING' LIMIT $1) AS counted",
    [Math.ceil(count)],
  );
  return found!.running >= count;
}

/**
 * Running instances of one version, newest first: their number, and the ids of at most `limit`.
 * @param workflowIDs only these, if given
 */
export async function runningInstancesOf(
  database: Queryable,
  {
    projectID,
    definitionID,
    workflowIDs,
    limit,
  }: { projectID: string; definitionID: string; workflowIDs?: readonly string[] | undefined; limit: number },
): Promise<{ total: number; workflowIDs: string[] }> {
  const filter = new Filter()
    .where('i.project_id = ?', projectID)
    .where('i.definition_id = ?', definitionID)
    .whereTrue("i.status = 'RUNNING'")
    .whereGiven('i.workflow_id = ANY(?::text[])', workflowIDs);
  const query = { columns: 'i.workflow_id AS "workflowID"', table: 'instances i', filter, orderBy: 'i.number DESC' };
  const found = await readRows<{ workflowID: string }>(database, query, limit, 0);
  const total = found.length < limit ? found.length : await countAll(database, query);
  return { total, workflowIDs: found.map(({ workflowID }) => workflowID) };
}

/** Which of these are still running. */
export async function stillRunning(database: Queryable, workflowIDs: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ workflowID: string }>(
    database,
    `SELECT workflow_id AS "workflowID" FROM instances WHERE workflow_id = ANY($1::text[]) AND status = 'RUNNING'`,
    [workflowIDs],
  );
  return new Set(found.map(({ workflowID }) => workflowID));
}

/** Whether the instance has a row and is no longer running. */
export async function hasEnded(database: Queryable, workflowID: string): Promise<boolean> {
  const row = await firstRow(database, `SELECT FROM instances WHERE workflow_id = $1 AND status <> 'RUNNING'`, [
    workflowID,
  ]);
  return row !== undefined;
}
