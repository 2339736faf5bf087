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
