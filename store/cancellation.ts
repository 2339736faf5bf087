/**
 * Canceling an instance. From the moment the command is written, nothing of the instance or of any instance below it
 * is handed out or accepted; that each of them ends follows by commands.
 */
import type { Pool } from 'pg';
import { markDescendants } from './children.js';
import { explainRefusal, submitCommand, type Request, type Submitted } from './commands.js';
import { inTransaction } from './database.js';
import { holdJobs } from './held-jobs.js';
import type { Refusal } from './refusal.js';

/** Writes the cancel command and marks the instance and all below it. */
export async function cancelInstance(
  pool: Pool,
  request: Request,
): Promise<Submitted | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>> {
  return inTransaction(pool, async (transaction) => {
    const written = await submitCommand(transaction, { ...request, body: { kind: 'CANCEL_INSTANCE' } });
    if (written.kind === 'refused') return explainRefusal(transaction, request);
    await transaction.query('UPDATE instances SET canceling = true WHERE workflow_id = $1', [request.workflowID]);
    await holdJobs(transaction, [request.workflowID]);
    await markDescendants(transaction, [request.workflowID]);
    return written;
  });
}
