/**
 * Jobs that are not handed out because their instance is suspended by itself, below one that is, or being canceled. The
 * job's row says so, so that a poll does not read past them however many they are. What a definition pauses is passed
 * over by its path instead.
 */
import type { PoolClient } from 'pg';

/** SQL: whether the jobs of the instance in the row `i` are held. */
export function holdsJobs(i: string): string {
  return `(${i}.suspended_at IS NOT NULL OR ${i}.suspended_above OR ${i}.canceling)`;
}

/** Writes it into the open jobs of instances that the transaction has locked and changed. */
export async function holdJobs(transaction: PoolClient, workflowIDs: readonly string[]): Promise<void> {
  if (workflowIDs.length === 0) return;
  await transaction.query(
    `UPDATE jobs j SET held = ${holdsJobs('i')} FROM instances i
     WHERE i.workflow_id = ANY($1::text[]) AND j.workflow_id = i.workflow_id AND j.status = 'PENDING' AND j.held <> ${holdsJobs('i')}`,
    [workflowIDs],
  );
}
