/**
 * Instances whose end a caller of Nexus waits for. The instance itself names the endpoint, so that its end enters a small
 * index, whatever ends it, and costs no statement more.
 */
import { rows, type Queryable } from '../../sql/database.js';

export interface AwaitedRun {
  workflowID: string;
  endpoint: string;
}

/** Has the end of a running instance reported. */
export async function awaitRun(
  database: Queryable,
  projectID: string,
  { workflowID, endpoint }: AwaitedRun,
): Promise<void> {
  await database.query(
    `UPDATE instances SET nexus_endpoint = $3
     WHERE workflow_id = $1 AND project_id || '' = $2 AND status || '' = 'RUNNING' AND nexus_endpoint IS DISTINCT FROM $3`,
    [workflowID, projectID, endpoint],
  );
}

/** Those that have ended and are not reported yet, the oldest end first. */
export function endedRuns(database: Queryable, most: number): Promise<AwaitedRun[]> {
  return rows<AwaitedRun>(
    database,
    `SELECT workflow_id AS "workflowID", nexus_endpoint AS endpoint FROM instances
     WHERE nexus_endpoint IS NOT NULL AND status <> 'RUNNING' ORDER BY completed_at LIMIT $1`,
    [most],
  );
}

/** Their callers know the ends. */
export async function forgetRuns(database: Queryable, workflowIDs: readonly string[]): Promise<void> {
  await database.query('UPDATE instances SET nexus_endpoint = NULL WHERE workflow_id = ANY ($1)', [workflowIDs]);
}
