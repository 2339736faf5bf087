/** The result of an instance: its end, or the incidents that keep it from ending. */
import type { InstanceStatus } from '@perdure/engine/state/state.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { preparedRows, type Queryable } from '../sql/database.js';
import { pickVariables } from './pick-variables.js';

export interface InstanceResult {
  status: InstanceStatus;
  completedAt: Date | null;
  failureReason: string | null;
  /** Its own or those of its descendants. */
  hasIncident: boolean;
  /** Of a completed instance. */
  variables: Variables | null;
}

export interface ResultRequest {
  projectID: string;
  workflowID: string;
  /** Return only these variables (default: all). */
  fetchVariables?: readonly string[] | undefined;
}

/** @returns undefined if the project has no such instance */
export async function readResult(
  database: Queryable,
  { projectID, workflowID, fetchVariables }: ResultRequest,
): Promise<InstanceResult | undefined> {
  const [result] = await preparedRows<InstanceResult>(
    database,
    'read result',
    `SELECT status, completed_at AS "completedAt", failure_reason AS "failureReason", open_incidents > 0 AS "hasIncident",
       CASE WHEN status = 'COMPLETED' THEN variables END AS variables
     FROM instances WHERE workflow_id = $1 AND project_id || '' = $2`,
    [workflowID, projectID],
  );
  if (!result?.variables || !fetchVariables) return result;
  return { ...result, variables: pickVariables(result.variables, fetchVariables) };
}

/** Whether a wait for the result ends here. */
export function isSettled({ status, hasIncident }: InstanceResult): boolean {
  return status !== 'RUNNING' || hasIncident;
}

/** Lets the end of a running instance be announced to a request that waits this long. Repeated waits rarely write. */
export async function awaitAnnouncement(
  database: Queryable,
  { projectID, workflowID }: ResultRequest,
  waitMilliseconds: number,
): Promise<void> {
  await database.query(
    `UPDATE instances SET result_awaited_until = now() + 2 * $3::integer * interval '1 millisecond'
     WHERE workflow_id = $1 AND project_id || '' = $2 AND status || '' = 'RUNNING'
       AND coalesce(result_awaited_until, '-infinity') < now() + $3 * interval '1 millisecond'`,
    [workflowID, projectID, waitMilliseconds],
  );
}
