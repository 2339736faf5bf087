/** The suspension of an ancestor that pauses an instance. */
import { firstRow, type Queryable } from '../sql/database.js';
import type { Instance } from '../instances/instances.js';

export interface Suspension {
  at: Date;
  by: string;
  reason: string | null;
}

/** The nearest one: of the parent instance, otherwise of its definition, otherwise of its ancestors. */
export async function parentSuspensionOf(
  database: Queryable,
  { workflowID, parentSuspended }: Instance,
): Promise<Suspension | undefined> {
  if (!parentSuspended) return undefined;
  return firstRow<Suspension>(
    database,
    `WITH RECURSIVE ancestors AS (
       SELECT p.* FROM instances i JOIN instances p ON p.workflow_id = i.parent_workflow_id WHERE i.workflow_id = $1
       UNION ALL
       SELECT p.* FROM ancestors a JOIN instances p ON p.workflow_id = a.parent_workflow_id
     )
     SELECT coalesce(a.suspended_at, d.suspended_at) AS at,
       CASE WHEN a.suspended_at IS NULL THEN d.suspended_by ELSE a.suspended_by END AS by,
       CASE WHEN a.suspended_at IS NULL THEN d.suspend_reason ELSE a.suspend_reason END AS reason
     FROM ancestors a JOIN definitions d ON d.id = a.definition_id
     WHERE a.suspended_at IS NOT NULL OR d.suspended_at IS NOT NULL ORDER BY a.depth DESC LIMIT 1`,
    [workflowID],
  );
}
