/**
 * Canceling an instance. Once the command is written, nothing moves in the instance or its descendants, no job of them is
 * leased, and no result is accepted; of many descendants, jobs and results follow (ADR 180). Commands then end each of them.
 */
import { lockQueued } from '../processes/queued-commands.js';
import { cancelWithoutWorkflow } from '../steps/fail-instance.js';
import { outboxAnnouncements } from '../sql/announcements.js';
import { followParents } from '../descendants/follow-parents.js';
import { explainRefusal, submitCommand, submitForQueued, type Request, type Submitted } from './submit-command.js';
import type { Database, Transaction } from '../sql/database.js';
import { withholdJobs } from '../work/withheld-jobs.js';
import type { Refusal } from '../sql/refusal.js';

/** Writes the cancel command and marks the instance and its descendants. */
export async function cancelInstance(
  database: Database,
  request: Request,
): Promise<Submitted | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>> {
  return database.transaction((transaction) => cancelInstanceIn(transaction, request));
}

export async function cancelInstanceIn(
  transaction: Transaction,
  request: Request,
): Promise<Submitted | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>> {
  const body = { kind: 'CANCEL_INSTANCE' as const };
  let written = await submitCommand(transaction, { ...request, body });
  if (written.kind === 'refused') {
    if (await lockQueued(transaction, request)) return cancelQueued(transaction, request);
    // It may have begun in between.
    written = await submitCommand(transaction, { ...request, body });
  }
  if (written.kind === 'refused') return explainRefusal(transaction, request);
  await transaction.query('UPDATE instances SET canceling = true WHERE workflow_id = $1', [request.workflowID]);
  await withholdJobs(transaction, [request.workflowID]);
  await followParents(transaction, [request.workflowID]);
  // Always signaled, because the step commit that would return it might fail. There is one cancel per instance.
  return written.delivery === 'withEarlier' ? { ...written, delivery: 'signal' } : written;
}

/** Like `cancelInstanceIn`, without a request that sends the command: the outbox relay does, right after the commit. */
export async function cancelThroughRelay(
  transaction: Transaction,
  request: Omit<Request, 'awaited'>,
): Promise<Submitted | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>> {
  const written = await cancelInstanceIn(transaction, { ...request, awaited: false });
  if (written.kind === 'refused' || !written.isNew) return written;
  await transaction.query('UPDATE commands SET deliver_at = now() WHERE workflow_id = $1 AND number = $2', [
    request.workflowID,
    written.command.number,
  ]);
  transaction.announce(outboxAnnouncements(['commands']));
  return written;
}

/** No workflow will cancel it. The transaction has locked it. */
async function cancelQueued(transaction: Transaction, request: Request): Promise<Submitted> {
  const written = await submitForQueued(transaction, request, { kind: 'CANCEL_INSTANCE' });
  await cancelWithoutWorkflow(transaction, request.workflowID);
  return written;
}
