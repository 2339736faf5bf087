/** Changes of a migration in the open rows of its instance: they get the names of the new version. */
import { unindexed } from '../sql/by-key.js';
import { raw, rowsOf, sql, type Sql } from '../sql/builder.js';
import type { Part, StepParameters } from '../steps/commit/part.js';
import type { MigrationChange, StepChanges } from '../steps/project.js';

/**
 * Parts of the statement that writes the step commit. Rows that the commit ends are excluded, because one statement
 * changes a row only once.
 */
export function migrationParts(step: StepParameters, changes: StepChanges, migration: MigrationChange): Part[] {
  const { jobsEnded, userTasksChanged, userTasksEnded, incidentsEnded, subscriptionsClosed } = changes;
  const incidents = incidentsMigrated(step, migration, [...incidentsEnded.keys()]);
  if (migration.nodes.size === 0) return [incidents];
  const renamed = (table: 'jobs' | 'user_tasks' | 'subscriptions', open: string, ended: number[]): Part => ({
    name: `${table}_renamed`,
    sql: sql`
      UPDATE ${raw(table)} t SET node_id = n.target
      FROM writable w, ${renames(migration)}
      WHERE t.workflow_id = ${step.workflowID} AND ${raw(open)} AND t.node_id = n.source AND t.number <> ALL(${ended}::integer[])`,
  });
  return [
    renamed('jobs', `${unindexed('t.status')} = 'PENDING'`, [...jobsEnded.keys()]),
    renamed('user_tasks', `${unindexed('t.status')} = 'CREATED'`, [
      ...userTasksEnded.keys(),
      ...userTasksChanged.keys(),
    ]),
    renamed('subscriptions', 'true', subscriptionsClosed),
    incidents,
  ];
}

function renames({ nodes }: MigrationChange): Sql {
  return rowsOf('n', [...nodes], { source: ['text', ([source]) => source], target: ['text', ([, target]) => target] });
}

/** Lists show them under the version that the instance runs now. */
function incidentsMigrated(step: StepParameters, migration: MigrationChange, ended: number[]): Part {
  return {
    name: 'incidents_migrated',
    sql: sql`
      UPDATE incidents t SET definition_id = w.next_definition_id,
        node_id = coalesce((SELECT n.target FROM ${renames(migration)} WHERE n.source = t.node_id), t.node_id)
      FROM writable w WHERE t.workflow_id = ${step.workflowID} AND ${raw(unindexed('t.status'))} = 'OPEN' AND t.number <> ALL(${ended}::integer[])`,
  };
}
