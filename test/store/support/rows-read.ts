/** How many rows of tables the statements of a list read. */
import type { Queryable } from '../../../store/sql/database.js';
import type { TestStore } from './store.js';

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** @param which the statements that count; default: those that read a page */
export async function rowsReadBy(
  store: TestStore,
  read: (database: Queryable) => Promise<unknown>,
  which = /OFFSET \$\d+/,
): Promise<number> {
  const statements: [string, unknown[]][] = [];
  const query = (text: string, values: unknown[] = []) => {
    statements.push([text, values]);
    return store.database.query(text, values);
  };
  await read({ query } as Queryable);
  let count = 0;
  for (const [text, values] of statements.filter(([text]) => which.test(text))) {
    const { rows } = await store.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    count += rowsOf(rows[0]!['QUERY PLAN'][0].Plan);
  }
  return count;
}

/** Of the scan that reads the most. */
function rowsOf({ 'Node Type': type, Plans = [], ...plan }: Plan): number {
  const read =
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  return Math.max(type.endsWith('Scan') ? read * plan['Actual Loops'] : 0, ...Plans.map(rowsOf));
}
