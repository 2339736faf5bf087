/** Pausing, resuming, and canceling a batch. Once a change is committed, no item is begun that it forbids. */
import { firstRow, type Database, type Transaction } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';
import type { BatchStatus } from './batches.js';

interface BatchKey {
  projectID: string;
  batchID: string;
}

type Controlled = { kind: 'done' } | Refusal<'NOT_FOUND' | 'CONFLICT'>;

export async function pauseBatch(database: Database, batch: BatchKey): Promise<Controlled> {
  return change(database, batch, 'PAUSED', () => Promise.resolve());
}

export async function resumeBatch(database: Database, batch: BatchKey): Promise<Controlled> {
  return change(database, batch, 'RUNNING', () => Promise.resolve());
}

/** Items that are begun get their outcomes; all others are canceled. */
export async function cancelBatch(database: Database, batch: BatchKey): Promise<Controlled> {
  return change(database, batch, 'CANCELED', async (transaction) => {
    await transaction.query(
      "UPDATE batch_items SET status = 'CANCELED', processed_at = now() WHERE batch_id = $1 AND status = 'PENDING' AND begun_at IS NULL",
      [batch.batchID],
    );
  });
}

/** The update waits for items that are being begun: their transactions share a lock on the row of the batch. */
async function change(
  database: Database,
  { projectID, batchID }: BatchKey,
  status: BatchStatus,
  effect: (transaction: Transaction) => Promise<void>,
): Promise<Controlled> {
  return database.transaction(async (transaction) => {
    const batch = await firstRow<{ status: BatchStatus }>(
      transaction,
      'SELECT status FROM batches WHERE project_id = $1 AND id = $2 FOR UPDATE',
      [projectID, batchID],
    );
    if (!batch) return refused('NOT_FOUND', `There is no batch ${batchID} in this project`);
    if (batch.status === status) return { kind: 'done' };
    if (batch.status === 'COMPLETED' || batch.status === 'CANCELED')
      return refused('CONFLICT', `Batch ${batchID} is ${batch.status}`);
    await transaction.query('UPDATE batches SET status = $2, due_at = now() WHERE id = $1', [batchID, status]);
    await effect(transaction);
    return { kind: 'done' };
  });
}
