/** The part of a step commit that writes its events. */
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import type { StepChanges } from '../steps/project.js';
import type { Part } from '../steps/step-commit-statement.js';
import { eventsOfStep } from './of-step.js';
import { dataOfInstance, insertEvents, taskName } from './record.js';
import { dataOfTask } from './of-task.js';

/**
 * Undefined if the step has nothing to tell.
 * @param before names of the other parts. Rows that they end are read as they are then, after waiting for other changes.
 */
export function eventPart(commit: StepCommit, changes: StepChanges, before: readonly string[]): Part | undefined {
  const events = eventsOfStep(commit, changes);
  if (events.length === 0) return undefined;
  const endsTasks = before.includes('user_tasks_ended');
  const endsIncidents = before.includes('incidents_ended');
  const ended = [...(endsTasks ? ['t'] : []), ...(endsIncidents ? ['n'] : [])];
  const cause = `coalesce(${['e.command', ...ended.map((alias) => `${alias}.ending_command`)].join(', ')})`;
  const told = [
    dataOfInstance({
      workflowID: 'w.workflow_id',
      rootWorkflowID: 'i.root_workflow_id',
      businessID: 'i.business_id',
      definition: 'd',
    }),
    `jsonb_build_object('actor', c.actor, 'reason', c.reason, 'name', CASE WHEN e.type = 'task.created' THEN ${taskName('d', "e.data ->> 'nodeID'")} END)`,
    ...(endsTasks ? [dataOfTask('t', 'd')] : []),
    ...(endsIncidents ? [dataOfIncident] : []),
    'jsonb_strip_nulls(e.data)',
  ];
  return {
    name: 'events',
    sql: (place) =>
      `${insertEvents({
        from: `writable w JOIN instances i ON i.workflow_id = $1 JOIN definitions d ON d.id = coalesce($15::uuid, w.definition_id)
        CROSS JOIN ROWS FROM (json_to_recordset(${place(0)}::json) AS (type text, subject text, command integer, task integer, incident integer, data jsonb))
          WITH ORDINALITY AS e(type, subject, command, task, incident, data, place)
        ${endsTasks ? 'LEFT JOIN user_tasks_ended t ON t.number = e.task' : ''}
        ${endsIncidents ? 'LEFT JOIN incidents_ended n ON n.number = e.incident' : ''}
        LEFT JOIN ${before.includes('command_written') ? commandsWithWritten : 'commands'} c ON c.workflow_id = $1 AND c.number = ${cause}`,
        projectID: 'w.project_id',
        type: { sql: 'e.type' },
        subject: 'e.subject',
        workflowID: 'w.workflow_id',
        processID: 'd.process_id',
        time: 'to_timestamp($3::float8 / 1000)',
        data: told.map((object) => `jsonb_strip_nulls(${object})`).join(' || '),
      })} ORDER BY e.place`,
    values: [JSON.stringify(events)],
  };
}

/** A command that the same statement inserts is not in its table yet. */
const commandsWithWritten = `(SELECT workflow_id, number, actor, reason FROM commands UNION ALL SELECT $1, number, actor, reason FROM command_written)`;

const dataOfIncident = `jsonb_build_object('nodeID', n.node_id, 'errorType', n.error_type, 'errorCode', left(n.error_code, 1000),
  'previousIncidentID', $1 || ':' || n.previous)`;
