/** Changes of user tasks in the statement of a step commit. */
import { DEFAULT_TASK_PRIORITY } from '@perdure/engine/contract/facts.js';
import { boundForm, isEmbedded } from '../../forms/bound-form.js';
import { raw, rowsOf, sql } from '../../sql/builder.js';
import { unindexed } from '../../sql/by-key.js';
import { indexedText, jsonText, optionalIndexedText } from '../../sql/text.js';
import { endedBefore, type Part, type StepParameters } from '../../steps/commit/part.js';
import type { StepChanges, UserTaskEnd } from '../../steps/project.js';

export function userTaskParts(step: StepParameters, changes: StepChanges): Part[] {
  const ended = endedBefore(changes.userTasksEnded, changes.userTasksCreated);
  return [
    ...(changes.userTasksCreated.size > 0 ? [created(changes)] : []),
    ...(ended.length > 0 ? [tasksEnded(step, ended)] : []),
  ];
}

const formOfTask = boundForm({
  projectID: 'w.project_id',
  formID: 't.form_id',
  binding: 't.form_binding',
  definitionID: 'w.next_definition_id',
});

function created({ userTasksCreated, userTasksEnded }: StepChanges): Part {
  const tasks = [...userTasksCreated.values()].map((fact) => ({ ...fact, end: userTasksEnded.get(fact.task) }));
  const task = rowsOf('t', tasks, {
    number: ['integer', (fact) => fact.task],
    element: ['integer', ({ element }) => element],
    node_id: ['text', ({ node }) => node],
    assignee: ['text', ({ assignee }) => optionalIndexedText(assignee)],
    candidate_users: ['json', ({ candidateUsers }) => JSON.stringify((candidateUsers ?? []).map(indexedText))],
    candidate_groups: ['json', ({ candidateGroups }) => JSON.stringify((candidateGroups ?? []).map(indexedText))],
    form_key: ['text', ({ formKey }) => formKey ?? null],
    form_id: ['text', ({ formID }) => formID ?? null],
    headers: ['json', ({ headers }) => jsonText(headers)],
    local_variables: ['json', ({ localVariables }) => jsonText(localVariables)],
    status: ['text', ({ end }) => end?.status ?? 'CREATED'],
    completion_variables: ['json', ({ end }) => jsonText(end?.variables)],
    error_code: ['text', ({ end }) => optionalIndexedText(end?.errorCode)],
    cancel_reason: ['text', ({ end }) => end?.cancelReason ?? null],
    due_date: ['float8', ({ dueDate }) => dueDate ?? null],
    follow_up_date: ['float8', ({ followUpDate }) => followUpDate ?? null],
    priority: ['integer', ({ priority }) => priority ?? DEFAULT_TASK_PRIORITY],
    form_binding: ['json', ({ formBinding }) => jsonText(formBinding)],
  });
  return {
    name: 'user_tasks_created',
    sql: sql`
      INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, assignee, candidate_users, candidate_groups,
        form_key, form_id, headers, local_variables, created_at, status, completed_at, completion_variables, error_code, cancel_reason,
        assigned_at, first_assigned_at, due_date, follow_up_date, priority, form_binding, form_version_id, form_definition_id)
      SELECT w.workflow_id, t.number, w.project_id, t.element, t.node_id, t.assignee,
        ARRAY(SELECT json_array_elements_text(t.candidate_users)), ARRAY(SELECT json_array_elements_text(t.candidate_groups)),
        t.form_key, t.form_id, t.headers, t.local_variables, w.stepped_at, t.status,
        CASE WHEN t.status <> 'CREATED' THEN w.stepped_at END, t.completion_variables, t.error_code, t.cancel_reason,
        CASE WHEN t.assignee IS NOT NULL THEN w.stepped_at END, CASE WHEN t.assignee IS NOT NULL THEN w.stepped_at END, to_timestamp(t.due_date / 1000),
        to_timestamp(t.follow_up_date / 1000), t.priority,
        t.form_binding, ${raw(formOfTask)},
        CASE WHEN ${raw(isEmbedded('t.form_key'))} THEN w.next_definition_id END
      FROM writable w, ${task}`,
  };
}

function tasksEnded({ workflowID }: StepParameters, ended: [number, UserTaskEnd][]): Part {
  const end = rowsOf('e', ended, {
    number: ['integer', ([number]) => number],
    status: ['text', ([, { status }]) => status],
    completion_variables: ['json', ([, { variables }]) => jsonText(variables)],
    error_code: ['text', ([, { errorCode }]) => optionalIndexedText(errorCode)],
    cancel_reason: ['text', ([, { cancelReason }]) => cancelReason ?? null],
  });
  return {
    name: 'user_tasks_ended',
    sql: sql`
      UPDATE user_tasks t SET status = e.status, completed_at = w.stepped_at,
        completion_variables = e.completion_variables, error_code = e.error_code, cancel_reason = e.cancel_reason
      FROM writable w, ${end}
      WHERE t.workflow_id = ${workflowID} AND t.number = e.number AND ${raw(unindexed('t.status'))} = 'CREATED'
      RETURNING t.number, t.node_id, t.assignee, t.due_date, t.priority, t.ending_command`,
  };
}
