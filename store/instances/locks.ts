/** Row locks on instances, always parents before children (see the migrations for the complete lock order). */
import { rows, type Transaction } from '../sql/database.js';
import { isAnySuspended } from './paused.js';

export interface LockedInstance {
  workflowID: string;
  projectID: string;
  definitionID: string;
  parentWorkflowID: string | null;
  parentWait: number | null;
  rootWorkflowID: string;
  depth: number;
  businessID: string | null;
  startedBy: string | null;
  status: string;
  canceling: boolean;
  commandCount: number;
  stepCount: number;
  /** Suspended directly. */
  suspended: boolean;
  /** An ancestor is suspended. */
  ancestorSuspended: boolean;
  /** The definitions of its ancestors, outermost first. */
  ancestorDefinitions: string[];
  /** Its definition or an ancestor's is suspended, as of the statement that locked it. */
  definitionSuspended: boolean;
  /** Whether a request waits for its result. */
  resultAwaited: boolean;
  /** Whether its end frees a place of its process. */
  hasPlace: boolean;
}

const columns = `
  workflow_id AS "workflowID", project_id AS "projectID", definition_id AS "definitionID",
  parent_workflow_id AS "parentWorkflowID", parent_wait AS "parentWait", root_workflow_id AS "rootWorkflowID", depth,
  business_id AS "businessID", started_by AS "startedBy", status, canceling, command_count AS "commandCount", step_count AS "stepCount",
  suspended_at IS NOT NULL AS suspended, ancestor_suspended AS "ancestorSuspended", ancestor_definitions AS "ancestorDefinitions",
  ${isAnySuspended('ancestor_definitions || definition_id')} AS "definitionSuspended",
  coalesce(result_awaited_until > now(), false) AS "resultAwaited", concurrency_group IS NOT NULL AS "hasPlace"`;

async function lockInstance(transaction: Transaction, workflowID: string): Promise<LockedInstance | undefined> {
  const found = await rows<LockedInstance>(
    transaction,
    `SELECT ${columns} FROM instances WHERE workflow_id = $1 FOR UPDATE`,
    [workflowID],
  );
  return found[0];
}

/**
 * Locks all ancestors of `workflowID`, outermost first, then the instance itself.
 * @returns the ancestors, outermost first, and the instance; undefined if it does not exist
 */
export async function lockWithAncestors(
  transaction: Transaction,
  workflowID: string,
): Promise<{ ancestors: LockedInstance[]; instance: LockedInstance } | undefined> {
  const ancestors = await rows<LockedInstance>(
    transaction,
    `WITH RECURSIVE chain AS (
       SELECT parent_workflow_id FROM instances WHERE workflow_id = $1
       UNION ALL
       SELECT i.parent_workflow_id FROM instances i JOIN chain c ON i.workflow_id = c.parent_workflow_id
     )
     SELECT ${columns} FROM instances WHERE workflow_id IN (SELECT parent_workflow_id FROM chain) ORDER BY depth FOR UPDATE`,
    [workflowID],
  );
  const instance = await lockInstance(transaction, workflowID);
  return instance && { ancestors, instance };
}

/**
 * Locks the running children of `workflowIDs`. The transaction holds the locks of `workflowIDs`, so none of them can
 * call another child in the meantime.
 */
export async function lockChildren(
  transaction: Transaction,
  workflowIDs: readonly string[],
): Promise<Pick<LockedInstance, 'workflowID' | 'stepCount' | 'commandCount'>[]> {
  return rows(
    transaction,
    `SELECT workflow_id AS "workflowID", step_count AS "stepCount", command_count AS "commandCount"
     FROM instances WHERE parent_workflow_id = ANY($1::text[]) AND status = 'RUNNING' ORDER BY workflow_id FOR UPDATE`,
    [workflowIDs],
  );
}
