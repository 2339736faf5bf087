/** Changes of a migration in the open rows of its instance: they get the names of the new version. */
import { unindexed } from '../sql/by-key.js';
import type { Part } from '../steps/step-commit-statement.js';
import type { MigrationChange, StepChanges } from '../steps/project.js';

/**
 * Parts of the statement that writes the step commit. Rows that the commit ends are excluded, because one statement
 * changes a row only once.
 */
export function migrationParts(changes: StepChanges, migration: MigrationChange): Part[] {
  const { jobsEnded, userTasksEnded, incidentsEnded, subscriptionsClosed } = changes;
  const incidents = incidentsMigrated(migration, [...incidentsEnded.keys()]);
  if (migration.nodes.size === 0) return [incidents];
  return [
    renamed('jobs', `${unindexed('t.status')} = 'PENDING'`, migration, [...jobsEnded.keys()]),
    renamed('user_tasks', `${unindexed('t.status')} = 'CREATED'`, migration, [...userTasksEnded.keys()]),
    renamed('subscriptions', 'true', migration, subscriptionsClosed),
    incidents,
  ];
}

function renamed(
  table: 'jobs' | 'user_tasks' | 'subscriptions',
  open: string,
  { nodes }: MigrationChange,
  ended: number[],
): Part {
  return {
    name: `${table}_renamed`,
    sql: (place) => `
      UPDATE ${table} t SET node_id = n.target
      FROM writable w, unnest(${place(0)}::text[], ${place(1)}::text[]) AS n(source, target)
      WHERE t.workflow_id = $1 AND ${open} AND t.node_id = n.source AND t.number <> ALL(${place(2)}::integer[])`,
    values: [[...nodes.keys()], [...nodes.values()], ended],
  };
}

/** Lists show them under the version that the instance runs now. */
function incidentsMigrated({ definitionID, nodes }: MigrationChange, ended: number[]): Part {
  return {
    name: 'incidents_migrated',
    sql: (place) => `
      UPDATE incidents t SET definition_id = ${place(0)}::uuid,
        node_id = coalesce((SELECT n.target FROM unnest(${place(1)}::text[], ${place(2)}::text[]) AS n(source, target) WHERE n.source = t.node_id), t.node_id)
      FROM writable w WHERE t.workflow_id = $1 AND ${unindexed('t.status')} = 'OPEN' AND t.number <> ALL(${place(3)}::integer[])`,
    values: [definitionID, [...nodes.keys()], [...nodes.values()], ended],
  };
}
