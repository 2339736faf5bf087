/** Timers of an instance that are not open anymore. */
import { firstRow, type Queryable } from '../sql/database.js';

/** Reads all facts, so it is for refusals only. The text of a fact begins with its kind and its timer. */
export async function everHadTimer(database: Queryable, workflowID: string, timer: number): Promise<boolean> {
  const started = await firstRow(
    database,
    `SELECT 1 AS found FROM steps WHERE workflow_id = $1 AND facts::text LIKE $2 LIMIT 1`,
    [workflowID, `%"kind":"TIMER\\_STARTED","timer":${timer},%`],
  );
  return started !== undefined;
}
