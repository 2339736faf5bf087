/**
 * Snapshots of a running instance: all of the recent ones, and the fewer the older they are, so that an instance that
 * runs for years keeps a few hundred and reading from any of its facts on still begins close by.
 */
import type { Queryable } from './database.js';

/** An instance takes a snapshot after so many parks (`workflows/take-step.ts`). */
const PARKS_PER_SNAPSHOT = 32;
/** So many of the newest all stay; of those twice as old every second, of those four times as old every fourth, and so on. */
const ALL_KEPT = 16;

/** @param number of the park that has brought the newest one */
export async function thinSnapshots(database: Queryable, workflowID: string, number: number): Promise<void> {
  await database.query(
    `UPDATE parks SET snapshot = NULL WHERE workflow_id = $1 AND number IN (
       SELECT number FROM (
         SELECT number, number / ${PARKS_PER_SNAPSHOT} AS nth, ($2::integer - number) / ${PARKS_PER_SNAPSHOT} AS age FROM parks
         WHERE workflow_id = $1 AND snapshot IS NOT NULL AND number <= $2::integer - ${PARKS_PER_SNAPSHOT * ALL_KEPT}
       ) old WHERE nth % (2 << floor(log(2.0, age / ${ALL_KEPT}.0))::integer) <> 0
     )`,
    [workflowID, number],
  );
}
