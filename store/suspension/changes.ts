/** Requests for suspensions of instances and of definitions, and the record of each change. */
import { writeEntry, type AuditDraft } from '../audit/entries.js';
import { recordSuspension } from '../events/of-suspension.js';
import type { Database, Transaction } from '../sql/database.js';

export interface SuspensionRequest {
  projectID: string;
  actor: string;
  reason?: string | undefined;
  audit?: AuditDraft | undefined;
}

/** The requested state is in effect, whether or not it was before. */
export interface Done {
  kind: 'done';
}

export const DONE: Done = { kind: 'done' };

/** Runs `work` in a transaction that also records it in the audit log, unless it is refused. */
export function recording<T extends { kind: string }>(
  database: Database,
  { projectID, audit }: SuspensionRequest,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    const result = await work(transaction);
    if (audit && result.kind !== 'refused') await writeEntry(transaction, projectID, audit);
    return result;
  });
}

/** Records the change for the timelines of the instances that it concerns, and for the event feed. */
export async function recordChange(
  transaction: Transaction,
  { actor, reason, ...scope }: SuspensionRequest & ({ workflowID: string } | { definitionID: string }),
  { suspended, instances = true }: { suspended: boolean; instances?: boolean },
): Promise<void> {
  const column = 'workflowID' in scope ? 'workflow_id' : 'definition_id';
  await transaction.query(
    `INSERT INTO suspension_changes (${column}, suspended, instances, actor, reason) VALUES ($1, $2, $3, $4, $5)`,
    ['workflowID' in scope ? scope.workflowID : scope.definitionID, suspended, instances, actor, reason ?? null],
  );
  // The feed means full suspensions, as `suspendedAt` does.
  if (instances) await recordSuspension(transaction, { ...scope, suspended, actor, reason });
}
