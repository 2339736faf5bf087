import { firstRow, type Transaction } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';

/** An ended root instance with all its descendants, whose history is to change. */
export interface EndedTree {
  projectID: string;
  workflowID: string;
}

/**
 * Locks the root. From here on nothing starts below it, because it has ended.
 * @param change verb in the infinitive, for the message: `Erase`
 * @returns undefined if it and all descendants have ended
 */
export async function refusalUnlessEnded(
  transaction: Transaction,
  { projectID, workflowID }: EndedTree,
  change: string,
): Promise<Refusal<'NOT_FOUND' | 'CONFLICT'> | undefined> {
  const instance = await firstRow<{ status: string; parent: string | null; root: string }>(
    transaction,
    `SELECT status, parent_workflow_id AS parent, root_workflow_id AS root
     FROM instances WHERE project_id = $1 AND workflow_id = $2 FOR UPDATE`,
    [projectID, workflowID],
  );
  if (!instance) return refused('NOT_FOUND', `There is no instance ${workflowID} in this project`);
  if (instance.parent !== null) {
    return refused(
      'CONFLICT',
      `Instance ${workflowID} was called by another instance. ${change} its root instance ${instance.root}.`,
    );
  }
  if (instance.status === 'RUNNING')
    return refused('CONFLICT', `Instance ${workflowID} is RUNNING. ${change} it after it has ended.`);
  const running = await firstRow<{ workflowID: string }>(
    transaction,
    `SELECT workflow_id AS "workflowID" FROM instances
     WHERE root_workflow_id = $1 AND parent_workflow_id IS NOT NULL AND completed_at IS NULL LIMIT 1`,
    [workflowID],
  );
  if (!running) return undefined;
  return refused(
    'CONFLICT',
    `Instance ${running.workflowID} below ${workflowID} is RUNNING. ${change} the root after all have ended.`,
  );
}
