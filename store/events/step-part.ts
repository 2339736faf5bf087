/** The part of a step commit that writes its events. */
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import type { StepChanges } from '../steps/project.js';
import { raw, sql, type Sql } from '../sql/builder.js';
import type { Part, StepParameters } from '../steps/commit/part.js';
import { eventsOfStep } from './of-step.js';
import { dataOfInstance, joinFeed, selectEvents, taskName } from './record.js';
import { dataOfTask } from './of-task.js';

/** They return the same columns, and no task is in two of them. */
const TASK_PARTS: ReadonlySet<Part['name']> = new Set<Part['name']>([
  'user_tasks_changed',
  'user_tasks_corrected',
  'user_tasks_ended',
]);

/** SQL: the rows of the parts. */
function inOne(parts: readonly Part['name'][]): string {
  return parts.length === 1 ? parts[0]! : `(${parts.map((name) => `SELECT * FROM ${name}`).join(' UNION ALL ')})`;
}

/**
 * No part if the step has nothing to tell.
 * @param others parts of the same statement. Rows that they end are read as they are then, after waiting for other changes.
 */
export function eventParts(
  step: StepParameters,
  commit: StepCommit,
  changes: StepChanges,
  others: readonly Part[],
): Part[] {
  const events = eventsOfStep(commit, changes);
  if (events.length === 0) return [];
  const before = others.map(({ name }) => name);
  const tasks = before.filter((name) => TASK_PARTS.has(name));
  const endsIncidents = before.includes('incidents_ended');
  const ended = [...(tasks.length > 0 ? ['t'] : []), ...(endsIncidents ? ['n'] : [])];
  const cause = `coalesce(${['e.command', ...ended.map((alias) => `${alias}.ending_command`)].join(', ')})`;
  const told = [
    dataOfInstance({
      workflowID: 'w.workflow_id',
      rootWorkflowID: 'i.root_workflow_id',
      businessID: 'i.business_id',
      definition: 'd',
    }),
    `jsonb_build_object('actor', c.actor, 'reason', c.reason, 'name', CASE WHEN e.type = 'task.created' THEN ${taskName('d', "e.data ->> 'nodeID'")} END)`,
    ...(tasks.length > 0 ? [dataOfTask('t', 'd')] : []),
    ...(endsIncidents ? [dataOfIncident] : []),
    'jsonb_strip_nulls(e.data)',
  ];
  const from = sql`writable w JOIN instances i ON i.workflow_id = ${step.workflowID} JOIN definitions d ON d.id = w.next_definition_id
        CROSS JOIN ROWS FROM (json_to_recordset(${JSON.stringify(events)}::json) AS (type text, subject text, command integer, task integer, incident integer, data jsonb))
          WITH ORDINALITY AS e(type, subject, command, task, incident, data, place)
        ${raw(tasks.length > 0 ? `LEFT JOIN ${inOne(tasks)} t ON t.number = e.task` : '')}
        ${raw(endsIncidents ? 'LEFT JOIN incidents_ended n ON n.number = e.incident' : '')}
        LEFT JOIN ${before.includes('command_written') ? commandsWithWritten(step) : raw('commands')} c ON c.workflow_id = ${step.workflowID} AND c.number = ${raw(cause)}`;
  const insertion = selectEvents({
    projectID: 'w.project_id',
    type: { sql: 'e.type' },
    subject: 'e.subject',
    workflowID: 'w.workflow_id',
    processID: 'd.process_id',
    time: 'w.stepped_at',
    data: told.map((object) => `jsonb_strip_nulls(${object})`).join(' || '),
  });
  return [
    { name: 'events', sql: sql`${raw(insertion)} FROM ${from} ${raw(joinFeed('w.project_id'))} ORDER BY e.place` },
  ];
}

/** A command that the same statement inserts is not in its table yet. */
function commandsWithWritten({ workflowID }: StepParameters): Sql {
  return sql`(SELECT workflow_id, number, actor, reason FROM commands UNION ALL SELECT ${workflowID}, number, actor, reason FROM command_written)`;
}

const dataOfIncident = `jsonb_build_object('nodeID', n.node_id, 'errorType', n.error_type, 'errorCode', left(n.error_code, 1000),
  'previousIncidentID', w.workflow_id || ':' || n.previous)`;
