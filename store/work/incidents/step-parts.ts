/** Changes of incidents in the statement of a step commit. */
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { raw, rowsOf, sql } from '../../sql/builder.js';
import { unindexed } from '../../sql/by-key.js';
import { optionalIndexedText } from '../../sql/text.js';
import { endedBefore, type Part, type StepParameters } from '../../steps/commit/part.js';
import type { IncidentEnd, StepChanges } from '../../steps/project.js';

export function incidentParts(step: StepParameters, commit: StepCommit, changes: StepChanges): Part[] {
  const ended = endedBefore(changes.incidentsEnded, changes.incidentsRaised);
  return [
    ...(changes.incidentsRaised.size > 0 ? [raised(step, commit, changes)] : []),
    ...(ended.length > 0 ? [incidentsEnded(step, ended)] : []),
  ];
}

function raised({ workflowID }: StepParameters, { incidentScopes = {} }: StepCommit, changes: StepChanges): Part {
  const incidents = [...changes.incidentsRaised.values()].map((fact) => ({
    ...fact,
    end: changes.incidentsEnded.get(fact.incident),
  }));
  const failedWork = [...changes.jobsEnded, ...changes.userTasksEnded].filter(([, { status }]) => status === 'FAILED');
  const incident = rowsOf('n', incidents, {
    number: ['integer', (fact) => fact.incident],
    element: ['integer', ({ element }) => element],
    node_id: ['text', ({ node }) => node],
    error_type: ['text', ({ errorType }) => errorType],
    error_code: ['text', ({ errorCode }) => optionalIndexedText(errorCode)],
    message: ['text', ({ message }) => message],
    previous: ['integer', ({ previous }) => previous ?? null],
    status: ['text', ({ end }) => end?.status ?? 'OPEN'],
    resolved_by: ['text', ({ end }) => end?.resolvedBy ?? null],
    scope: ['integer', (fact) => incidentScopes[fact.incident] ?? null],
  });
  return {
    name: 'incidents_raised',
    sql: sql`
      INSERT INTO incidents (workflow_id, number, project_id, definition_id, element, node_id, error_type, error_code, message,
        previous, raised_at, status, ended_at, resolved_by, scope, failed_work)
      SELECT w.workflow_id, n.number, w.project_id, w.next_definition_id, n.element, n.node_id, n.error_type, n.error_code, n.message,
        n.previous, w.stepped_at, n.status, CASE WHEN n.status <> 'OPEN' THEN w.stepped_at END, n.resolved_by, n.scope,
        (SELECT max(f.number) FROM (SELECT workflow_id, number, element FROM jobs UNION ALL SELECT workflow_id, number, element FROM user_tasks) f
          WHERE f.workflow_id = ${workflowID} AND f.number = ANY(${failedWork.map(([number]) => number)}::integer[]) AND f.element = n.element)
      FROM writable w, ${incident}`,
  };
}

function incidentsEnded({ workflowID }: StepParameters, ended: [number, IncidentEnd][]): Part {
  const end = rowsOf('e', ended, {
    number: ['integer', ([number]) => number],
    status: ['text', ([, { status }]) => status],
    resolved_by: ['text', ([, { resolvedBy }]) => resolvedBy ?? null],
  });
  return {
    name: 'incidents_ended',
    sql: sql`
      UPDATE incidents n SET status = e.status, ended_at = w.stepped_at, resolved_by = e.resolved_by
      FROM writable w, ${end}
      WHERE n.workflow_id = ${workflowID} AND n.number = e.number AND ${raw(unindexed('n.status'))} = 'OPEN'
      RETURNING n.number, n.node_id, n.error_type, n.error_code, n.previous, n.ending_command`,
  };
}
