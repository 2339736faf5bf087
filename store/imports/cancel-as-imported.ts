/** Takes an import back: cancels an instance only if nothing has happened since it was imported. */
import type { Fact } from '@perdure/engine/contract/facts.js';
import { cancelInstanceIn } from '../instances/cancellation.js';
import { lockChildren, type LockedInstance } from '../instances/locks.js';
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

/** Facts of the first steps after an import, which continue its loops and check its joins and conditions. */
const WITHOUT_EFFECT = ['ELEMENT_CONTINUED', 'STATE_MEASURED', 'STEP_YIELDED', 'STEP_SETTLED'] satisfies Fact['kind'][];

/** @returns which instance, of the one in the request and all that it calls, has done or received something */
async function lockAndFindMoved(
  transaction: Transaction,
  { projectID, workflowID }: Request,
): Promise<string | undefined> {
  const root = await firstRow<Counts & { isRunning: boolean; isImported: boolean }>(
    transaction,
    `SELECT workflow_id AS "workflowID", status = 'RUNNING' AS "isRunning", imported_at IS NOT NULL AS "isImported",
       step_count AS "stepCount", command_count AS "commandCount"
     FROM instances WHERE workflow_id = $1 AND project_id = $2 FOR UPDATE`,
    [workflowID, projectID],
  );
  // The cancel explains it.
  if (!root?.isRunning) return undefined;
  if (!root.isImported) return workflowID;
  for (let level: Counts[] = [root]; level.length > 0;) {
    const moved = await findMoved(transaction, level);
    if (moved !== undefined) return moved;
    level = await lockChildren(
      transaction,
      level.map((instance) => instance.workflowID),
    );
  }
  return undefined;
}

type Counts = Pick<LockedInstance, 'workflowID' | 'stepCount' | 'commandCount'>;

async function findMoved(transaction: Transaction, level: readonly Counts[]): Promise<string | undefined> {
  const commanded = level.find(({ commandCount }) => commandCount > 0);
  if (commanded) return commanded.workflowID;
  const stepped = level.filter(({ stepCount }) => stepCount > 1).map(({ workflowID }) => workflowID);
  if (stepped.length === 0) return undefined;
  const found = await firstRow<{ workflowID: string }>(
    transaction,
    `SELECT workflow_id AS "workflowID" FROM steps WHERE workflow_id = ANY($1::text[]) AND number > 1
       AND EXISTS (SELECT FROM json_array_elements(facts) AS fact WHERE fact->>'kind' <> ALL($2::text[]))
     LIMIT 1`,
    [stepped, WITHOUT_EFFECT],
  );
  return found?.workflowID;
}
