/** Requests for suspensions of instances and of definitions, and their entries in the audit log. */
import { writeEntry, type AuditDraft } from '../audit/entries.js';
import type { Database, Transaction } from '../sql/database.js';

export interface SuspensionRequest {
  projectID: string;
  actor: string;
  reason?: string | undefined;
  audit?: AuditDraft | undefined;
}

/** SQL: the assignments that leave a definition without a scheduled suspension. */
export const withoutSchedule = `suspension_scheduled_at = NULL, suspension_scheduled_instances = NULL, suspension_scheduled_by = NULL,
    suspension_scheduled_actor_type = NULL, suspension_scheduled_reason = NULL, suspension_due_at = NULL`;

/** The requested state is in effect, whether or not it was before. */
export interface Done {
  kind: 'done';
}

export const DONE: Done = { kind: 'done' };

/** `unchanged`: no instance was changed. The requested state was in effect before, or is for starts only. */
export type Changed = { kind: 'changed' } | { kind: 'unchanged' };

/** Runs `work` in a transaction that also records it in the audit log, unless it is refused. */
export function recording<T extends Changed | { kind: 'refused' }>(
  database: Database,
  { projectID, audit }: SuspensionRequest,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    const result = await work(transaction);
    if (audit && result.kind !== 'refused')
      await writeEntry(transaction, projectID, result.kind === 'changed' ? audit : { ...audit, leavesInstances: true });
    return result;
  });
}
