/** Business ids of processes that allow each only once. A refused start does not keep the id. */
import { firstRow, rows, type Transaction } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { indexedText } from '../sql/text.js';

export type UniquenessRule = 'RUNNING' | 'EVER';

export type UniquenessRefusal = Refusal<'BUSINESS_ID_TAKEN'>;

interface Holder {
  projectID: string;
  processID: string;
  businessID: string;
  workflowID: string;
}

/**
 * Gives the business id to an instance that the transaction writes, before or afterward. Of several transactions that ask
 * for one id, each waits for the one before.
 */
export async function holdBusinessID(
  transaction: Transaction,
  { projectID, processID, businessID, workflowID }: Holder,
  rule: UniquenessRule,
): Promise<UniquenessRefusal | undefined> {
  const id = [projectID, processID, indexedText(businessID)];
  for (;;) {
    const first = await transaction.query(
      `INSERT INTO business_id_holders (project_id, process_id, business_id, workflow_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id, process_id, business_id) DO NOTHING`,
      [...id, workflowID],
    );
    // The id has had no holder since the rule is in force. An instance from before may have it.
    if (first.rowCount === 1)
      return refusedFor(businessID, rule, await olderHolder(transaction, [...id, workflowID], rule));
    const holder = await firstRow<{ workflowID: string }>(
      transaction,
      `SELECT workflow_id AS "workflowID" FROM business_id_holders
       WHERE project_id = $1 AND process_id = $2 AND business_id = $3 FOR UPDATE`,
      id,
    );
    // Retention has removed it in the meantime.
    if (!holder) continue;
    // In a later statement, which sees the instance that the lock waited for.
    const [instance] = await rows<{ status: string }>(
      transaction,
      'SELECT status FROM instances WHERE workflow_id = $1',
      [holder.workflowID],
    );
    if (instance && (rule === 'EVER' || instance.status === 'RUNNING')) return refusedFor(businessID, rule, holder);
    await transaction.query(
      'UPDATE business_id_holders SET workflow_id = $4 WHERE project_id = $1 AND process_id = $2 AND business_id = $3',
      [...id, workflowID],
    );
    return undefined;
  }
}

function olderHolder(
  transaction: Transaction,
  idAndInstance: readonly string[],
  rule: UniquenessRule,
): Promise<{ workflowID: string } | undefined> {
  return firstRow(
    transaction,
    `SELECT i.workflow_id AS "workflowID" FROM instances i JOIN definitions d ON d.id = i.definition_id
     WHERE i.project_id = $1 AND i.business_id = $3 AND i.parent_workflow_id IS NULL AND i.workflow_id <> $4 AND d.project_id = $1 AND d.process_id = $2
       ${rule === 'RUNNING' ? "AND i.status = 'RUNNING'" : ''} ORDER BY i.number DESC LIMIT 1`,
    [...idAndInstance],
  );
}

function refusedFor(
  businessID: string,
  rule: UniquenessRule,
  holder: { workflowID: string } | undefined,
): UniquenessRefusal | undefined {
  if (!holder) return undefined;
  const { workflowID } = holder;
  const advice = rule === 'RUNNING' ? 'Wait for its end, or choose another one' : 'Choose another one';
  return refused(
    'BUSINESS_ID_TAKEN',
    `Instance ${workflowID} has the business id ${JSON.stringify(businessID)}. ${advice}`,
    {
      workflowID,
    },
  );
}
