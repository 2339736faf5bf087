/** Forgets instances: the one statement for retention, erasure, and the deletion of a project. */

/**
 * SQL of common table expressions. `removed` has the ids of the instances and of their projects; `deleteBehindRemoved` deletes their other rows.
 * @param from which instances `i` to delete: the rest of a DELETE statement
 * @param workflows whether workers delete their workflows from Temporal, or leave them to the retention of its namespace
 */
export function forgetInstances({ from, workflows }: { from: string; workflows: 'delete' | 'leave' }): string {
  return `removed AS (
       DELETE FROM instances i ${from} RETURNING i.workflow_id, i.project_id
     ), behind AS (
       INSERT INTO removed_instances (workflow_id) SELECT workflow_id FROM removed
     )${workflows === 'delete' ? `, in_temporal AS (${markErased('removed')})` : ''}`;
}

/** SQL: lets a worker delete the workflows of the instances in the table `from`, which has their projects. */
export function markErased(from: string): string {
  return `INSERT INTO erased_instances (workflow_id, project_id) SELECT workflow_id, project_id FROM ${from}
     ON CONFLICT (workflow_id) DO UPDATE SET project_id = excluded.project_id, erased_at = now(), due_at = now()`;
}
