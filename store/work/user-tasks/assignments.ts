/** Whom user tasks name, of many at once. */
import { parseExecutionKey } from '../../sql/ids.js';
import { rows, type Queryable } from '../../sql/database.js';

export interface Assignment {
  readonly assignee: string | null;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
}

/** @returns by execution key; tasks whose instance has been deleted are missing */
export async function assignmentsOf(
  database: Queryable,
  executionKeys: readonly string[],
): Promise<ReadonlyMap<string, Assignment>> {
  const parsed = executionKeys.flatMap((key) => parseExecutionKey(key) ?? []);
  const found = await rows<Assignment & { executionKey: string }>(
    database,
    `SELECT t.workflow_id || ':' || t.number AS "executionKey", t.assignee, t.candidate_users AS "candidateUsers", t.candidate_groups AS "candidateGroups"
     FROM unnest($1::text[], $2::integer[]) AS k (workflow_id, number) JOIN user_tasks t USING (workflow_id, number)`,
    [parsed.map(({ workflowID }) => workflowID), parsed.map(({ number }) => number)],
  );
  return new Map(found.map(({ executionKey, ...assignment }) => [executionKey, assignment]));
}
