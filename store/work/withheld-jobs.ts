/**
 * Jobs that are not leased because their instance is suspended directly, is a descendant of a suspended one, or is
 * being canceled. The job's row records this, so that a poll does not read past any number of them. Jobs paused by a
 * definition are skipped by their path instead.
 */
import type { Transaction } from '../sql/database.js';

/** SQL: whether the jobs of the instance in the row `i` are blocked. */
export function withholdsJobs(i: string): string {
  return `(${i}.suspended_at IS NOT NULL OR ${i}.ancestor_suspended OR ${i}.canceling)`;
}

/** Updates the open jobs of instances that the transaction has locked and changed; `follow_parents` does so for descendants. */
export async function withholdJobs(transaction: Transaction, workflowIDs: readonly string[]): Promise<void> {
  if (workflowIDs.length === 0) return;
  await transaction.query(
    `UPDATE jobs j SET withheld = ${withholdsJobs('i')} FROM instances i
     WHERE i.workflow_id = ANY($1::text[]) AND j.workflow_id = i.workflow_id AND j.status = 'PENDING' AND j.withheld <> ${withholdsJobs('i')}`,
    [workflowIDs],
  );
}
