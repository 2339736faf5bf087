/** Takes an import back: cancels an instance only if nothing has happened since it was imported. */
import { cancelInstanceIn } from '../instances/cancellation.js';
import { lockChildren } from '../instances/locks.js';
import type { Request, Submitted } from '../instances/submit-command.js';
import { firstRow, type Database, type Transaction } from '../sql/database.js';
import { refused, transactUnlessRefused, type Refusal } from '../sql/refusal.js';

/** In one transaction with the cancel, so nothing can happen in between. */
export function cancelAsImported(
  database: Database,
  request: Request,
): Promise<Submitted | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'PRECONDITION_FAILED'>> {
  return transactUnlessRefused(database, async (transaction) => {
    const moved = await lockAndFindMoved(transaction, request);
    if (moved !== undefined)
      return refused('PRECONDITION_FAILED', `Instance ${moved} is not as it was imported, so nothing is canceled`);
    return cancelInstanceIn(transaction, request);
  });
}

/** @returns which instance, of the one in the request and all that it calls, has done or received something */
async function lockAndFindMoved(
  transaction: Transaction,
  { projectID, workflowID }: Request,
): Promise<string | undefined> {
  const root = await firstRow<{ isRunning: boolean; isMoved: boolean }>(
    transaction,
    `SELECT status = 'RUNNING' AS "isRunning", imported_at IS NULL OR step_count > 1 OR command_count > 0 AS "isMoved"
     FROM instances WHERE workflow_id = $1 AND project_id = $2 FOR UPDATE`,
    [workflowID, projectID],
  );
  // The cancel explains it.
  if (!root?.isRunning) return undefined;
  if (root.isMoved) return workflowID;
  for (let level = [workflowID]; level.length > 0;) {
    const children = await lockChildren(transaction, level);
    const moved = children.find(({ stepCount, commandCount }) => stepCount > 1 || commandCount > 0);
    if (moved) return moved.workflowID;
    level = children.map((child) => child.workflowID);
  }
  return undefined;
}
