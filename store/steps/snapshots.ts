/**
 * Thinning of the snapshots of a running instance. Recent snapshots all stay; older ones stay at intervals that grow
 * with their age. The number of snapshots grows with the logarithm of the number of steps.
 */
import { STEPS_PER_SNAPSHOT } from '@perdure/engine/contract/step-commit.js';
import type { Queryable } from '../sql/database.js';

/**
 * Number of recent snapshots that all stay. Up to twice that age every second one stays, up to four times every fourth.
 */
const ALL_KEPT = 16;

/** @param number the step with the newest snapshot */
export async function thinSnapshots(database: Queryable, workflowID: string, number: number): Promise<void> {
  await database.query(
    `UPDATE steps SET snapshot = NULL WHERE workflow_id = $1 AND number IN (
       SELECT number FROM (
         SELECT number, number / ${STEPS_PER_SNAPSHOT} AS nth, ($2::integer - number) / ${STEPS_PER_SNAPSHOT} AS age FROM steps
         WHERE workflow_id = $1 AND snapshot IS NOT NULL AND number <= $2::integer - ${STEPS_PER_SNAPSHOT * ALL_KEPT}
       ) old WHERE nth % (2 << floor(log(2.0, age / ${ALL_KEPT}.0))::integer) <> 0
     )`,
    [workflowID, number],
  );
}
