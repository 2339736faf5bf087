/** How current the statistics are. */
import { firstRow, type Queryable } from '../sql/database.js';

/** Every step commit before this time is in the statistics. */
export async function foldedUntil(database: Queryable): Promise<Date> {
  const row = await firstRow<{ asOf: Date }>(
    database,
    'SELECT CASE WHEN EXISTS (SELECT FROM steps_to_fold) THEN as_of ELSE now() END AS "asOf" FROM statistics_progress',
    [],
  );
  return row!.asOf;
}

/** SQL: whether the statistics include all steps of the instance in the row `i`, or do not count it. */
export function isFolded(i: string): string {
  return `(strpos(${i}.project_id, '~') > 0 OR ${i}.step_count = 0
    OR EXISTS (SELECT FROM folded_instances f WHERE f.workflow_id = ${i}.workflow_id AND f.steps >= ${i}.step_count))`;
}
