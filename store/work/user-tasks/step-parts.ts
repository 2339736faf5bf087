/** Changes of user tasks in the statement of a step commit. */
import { DEFAULT_TASK_PRIORITY, type FactOf, type TaskChanges } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { boundForm, isEmbedded } from '../../forms/bound-form.js';
import { raw, rowsOf, sql } from '../../sql/builder.js';
import { unindexed } from '../../sql/by-key.js';
import { indexedText, jsonText, optionalIndexedText } from '../../sql/text.js';
import { endedBefore, rejectedCommands, type Part, type StepParameters } from '../../steps/commit/part.js';
import type { MigrationChange, StepChanges, UserTaskChange, UserTaskEnd } from '../../steps/project.js';

export function userTaskParts(step: StepParameters, commit: StepCommit, changes: StepChanges): Part[] {
  const ended = endedBefore(changes.userTasksEnded, changes.userTasksCreated);
  const changed = changedTasks(changes);
  return [
    ...(changed.length > 0 ? [tasksChanged(step, commit, changed, changes.migration)] : []),
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

/** Open tasks of earlier steps that listeners or a migration have changed. Ends and new rows have their changes themselves. */
export function changedTasks(changes: StepChanges): [number, UserTaskChange][] {
  const { userTasksChanged, userTasksCreated, userTasksEnded } = changes;
  return [...userTasksChanged].filter(([number]) => !userTasksCreated.has(number) && !userTasksEnded.has(number));
}

function created({ userTasksCreated, userTasksChanged, userTasksEnded }: StepChanges): Part {
  const tasks = [...userTasksCreated.values()].map((fact) => ({
    ...fact,
    ...withoutNull(userTasksChanged.get(fact.task)?.values),
    decided: userTasksChanged.get(fact.task)?.decided ?? fact.decided,
    asked: userTasksChanged.get(fact.task)?.asked,
    end: userTasksEnded.get(fact.task),
  }));
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
    decided: ['json', ({ decided }) => jsonText(decided)],
    asked: ['text', ({ asked }) => asked ?? null],
  });
  return {
    name: 'user_tasks_created',
    sql: sql`
      INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, assignee, candidate_users, candidate_groups,
        form_key, form_id, headers, local_variables, created_at, status, completed_at, completion_variables, error_code, cancel_reason,
        assigned_at, first_assigned_at, due_date, follow_up_date, priority, form_binding, form_version_id, form_definition_id, decided, asked)
      SELECT w.workflow_id, t.number, w.project_id, t.element, t.node_id, t.assignee,
        ARRAY(SELECT json_array_elements_text(t.candidate_users)), ARRAY(SELECT json_array_elements_text(t.candidate_groups)),
        t.form_key, t.form_id, t.headers, t.local_variables, w.stepped_at, t.status,
        CASE WHEN t.status <> 'CREATED' THEN w.stepped_at END, t.completion_variables, t.error_code, t.cancel_reason,
        CASE WHEN t.assignee IS NOT NULL THEN w.stepped_at END, CASE WHEN t.assignee IS NOT NULL THEN w.stepped_at END, to_timestamp(t.due_date / 1000),
        to_timestamp(t.follow_up_date / 1000), t.priority,
        t.form_binding, ${raw(formOfTask)},
        CASE WHEN ${raw(isEmbedded('t.form_key'))} THEN w.next_definition_id END,
        CASE WHEN t.decided IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(t.decided)) END, t.asked
      FROM writable w, ${task}`,
  };
}

function withoutNull(values: TaskChanges = {}): Partial<FactOf<'USER_TASK_CREATED'>> {
  return Object.fromEntries(Object.entries(values).map(([member, value]) => [member, value ?? undefined]));
}

/** Columns with new values of a task: for each value that null can remove, whether it is given. */
function valueColumns<Row>(valuesOf: (row: Row) => TaskChanges) {
  return {
    gives_assignee: ['boolean', (row: Row) => valuesOf(row).assignee !== undefined],
    assignee: ['text', (row: Row) => optionalIndexedText(valuesOf(row).assignee ?? undefined)],
    candidate_users: ['json', (row: Row) => jsonText(valuesOf(row).candidateUsers?.map(indexedText))],
    candidate_groups: ['json', (row: Row) => jsonText(valuesOf(row).candidateGroups?.map(indexedText))],
    gives_due_date: ['boolean', (row: Row) => valuesOf(row).dueDate !== undefined],
    due_date: ['float8', (row: Row) => valuesOf(row).dueDate ?? null],
    gives_follow_up_date: ['boolean', (row: Row) => valuesOf(row).followUpDate !== undefined],
    follow_up_date: ['float8', (row: Row) => valuesOf(row).followUpDate ?? null],
    priority: ['integer', (row: Row) => valuesOf(row).priority ?? null],
  } as const;
}

/** SQL: whether the assignee of `t` becomes another one. */
const reassigns = 'e.gives_assignee AND e.assignee IS DISTINCT FROM t.assignee';

/** SQL: sets the values of `e`, rows with `valueColumns`. @param actor SQL of the person who has assigned the task */
const newValues = (actor: string) => `
  assigned_at = CASE WHEN NOT (${reassigns}) THEN t.assigned_at WHEN e.assignee IS NOT NULL THEN w.stepped_at END,
  assigned_by = CASE WHEN NOT (${reassigns}) THEN t.assigned_by WHEN e.assignee IS NOT NULL THEN ${actor} END,
  first_assigned_at = CASE WHEN e.assignee IS NULL THEN t.first_assigned_at ELSE coalesce(t.first_assigned_at, w.stepped_at) END,
  assignee = CASE WHEN e.gives_assignee THEN e.assignee ELSE t.assignee END,
  candidate_users = CASE WHEN e.candidate_users IS NULL THEN t.candidate_users ELSE ARRAY(SELECT json_array_elements_text(e.candidate_users)) END,
  candidate_groups = CASE WHEN e.candidate_groups IS NULL THEN t.candidate_groups ELSE ARRAY(SELECT json_array_elements_text(e.candidate_groups)) END,
  due_date = CASE WHEN e.gives_due_date THEN to_timestamp(e.due_date / 1000) ELSE t.due_date END,
  overdue_reported = t.overdue_reported AND NOT e.gives_due_date,
  follow_up_date = CASE WHEN e.gives_follow_up_date THEN to_timestamp(e.follow_up_date / 1000) ELSE t.follow_up_date END,
  priority = coalesce(e.priority, t.priority)`;

/** SQL: the actor of the request that has ended. */
const settledBy = '(SELECT c.actor FROM commands c WHERE c.workflow_id = t.workflow_id AND c.number = e.settled)';

function tasksChanged(
  { workflowID }: StepParameters,
  commit: StepCommit,
  changed: [number, UserTaskChange][],
  migration: MigrationChange | undefined,
): Part {
  const at = new Date(commit.inputs.now).toISOString();
  const change = rowsOf('e', changed, {
    number: ['integer', ([number]) => number],
    ...valueColumns(([, { values }]: [number, UserTaskChange]) => values),
    gives_asked: ['boolean', ([, { asked }]) => asked !== undefined],
    asked: ['text', ([, { asked }]) => asked ?? null],
    decided: ['json', ([, { decided }]) => jsonText(decided)],
    settled: ['integer', ([, { settled }]) => settled ?? null],
    denied: ['json', ([, { denied }]) => jsonText(denied && { ...denied, at })],
  });
  const renames = JSON.stringify(Object.fromEntries(migration?.nodes ?? []));
  return {
    name: 'user_tasks_changed',
    sql: sql`
      UPDATE user_tasks t SET ${raw(newValues(settledBy))},
        asked = CASE WHEN e.gives_asked THEN e.asked ELSE t.asked END,
        denied = CASE WHEN e.gives_asked THEN e.denied ELSE t.denied END,
        decided = CASE WHEN e.decided IS NULL THEN t.decided ELSE nullif(ARRAY(SELECT json_array_elements_text(e.decided)), '{}') END,
        node_id = coalesce(${renames}::json ->> t.node_id, t.node_id),
        ending_command = CASE WHEN t.ending_command = e.settled OR t.ending_command = ANY(${rejectedCommands(commit)}::integer[]) THEN NULL ELSE t.ending_command END
      FROM writable w, ${change}
      WHERE t.workflow_id = ${workflowID} AND t.number = e.number AND ${raw(unindexed('t.status'))} = 'CREATED'
      RETURNING t.number, t.node_id, t.assignee, t.due_date, t.priority, e.settled AS ending_command`,
  };
}

function tasksEnded({ workflowID }: StepParameters, ended: [number, UserTaskEnd][]): Part {
  const corrected = ended.some(([, { values }]) => values !== undefined);
  const end = rowsOf('e', ended, {
    number: ['integer', ([number]) => number],
    status: ['text', ([, { status }]) => status],
    completion_variables: ['json', ([, { variables }]) => jsonText(variables)],
    error_code: ['text', ([, { errorCode }]) => optionalIndexedText(errorCode)],
    cancel_reason: ['text', ([, { cancelReason }]) => cancelReason ?? null],
    ...(corrected && valueColumns(([, { values = {} }]: [number, UserTaskEnd]) => values)),
  });
  return {
    name: corrected ? 'user_tasks_corrected' : 'user_tasks_ended',
    sql: sql`
      UPDATE user_tasks t SET ${raw(corrected ? `${newValues('NULL')},` : '')} status = e.status, completed_at = w.stepped_at,
        completion_variables = e.completion_variables, error_code = e.error_code, cancel_reason = e.cancel_reason
      FROM writable w, ${end}
      WHERE t.workflow_id = ${workflowID} AND t.number = e.number AND ${raw(unindexed('t.status'))} = 'CREATED'
      RETURNING t.number, t.node_id, t.assignee, t.due_date, t.priority, t.ending_command`,
  };
}
