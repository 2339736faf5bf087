/** Whether what was acknowledged is in the rows, once. */
import { expect } from 'vitest';
import type { Acknowledged } from './ledger.js';
import type { Database } from '../../../store/sql/database.js';

/** Every acknowledged end of a job or a task is one applied command with the variables that were acknowledged. */
export async function expectCountedOnce(store: Database, entries: readonly Acknowledged[]): Promise<void> {
  const wrong: unknown[] = [];
  for (const { kind, executionKey, variables = {} } of entries) {
    const separator = executionKey.lastIndexOf(':');
    const { rows } = await store.query<{ kind: string; status: string; variables: unknown }>(
      `SELECT body ->> 'kind' AS kind, status, coalesce(body -> 'variables', '{}') AS variables FROM commands
       WHERE workflow_id = $1 AND body ->> 'execution' = $2`,
      [executionKey.slice(0, separator), executionKey.slice(separator + 1)],
    );
    const applied = rows.filter(({ status }) => status === 'APPLIED');
    const isRight =
      applied.length === 1 &&
      applied[0]?.kind === kind &&
      JSON.stringify(applied[0].variables) === JSON.stringify(variables);
    if (!isRight) wrong.push({ kind, executionKey, variables, rows });
  }
  expect(wrong).toEqual([]);
}

/** Every order has exactly one instance in the project, however often its start was sent. */
export async function expectStartedOnce(
  store: Database,
  projectID: string,
  orderIDs: readonly string[],
): Promise<void> {
  const { rows } = await store.query<{ businessID: string; instances: number }>(
    `SELECT o.id AS "businessID", count(i.workflow_id)::integer AS instances
     FROM unnest($2::text[]) o(id) LEFT JOIN instances i ON i.project_id = $1 AND i.business_id = o.id AND i.parent_workflow_id IS NULL
     GROUP BY o.id HAVING count(i.workflow_id) <> 1`,
    [projectID, orderIDs],
  );
  expect(rows).toEqual([]);
}
