/** The headers by which the job of a task listener tells its worker about the task. Their names are those of Camunda 8. */
import { textOfInstant } from '../../time/iso8601.js';
import type { TaskChanges, TaskListenerEvent } from '../../contract/facts.js';
import type { TaskDraft, TaskListening } from '../../state/element-data.js';

const PREFIX = 'io.camunda.zeebe:';

const ACTIONS: { readonly [event in TaskListenerEvent]: string } = {
  creating: 'create',
  assigning: 'assign',
  updating: 'update',
  completing: 'complete',
};

const MEMBERS: { readonly [member in keyof TaskChanges]-?: (value: NonNullable<TaskChanges[member]>) => string } = {
  assignee: (assignee) => assignee,
  candidateUsers: (users) => JSON.stringify(users),
  candidateGroups: (groups) => JSON.stringify(groups),
  dueDate: textOfInstant,
  followUpDate: textOfInstant,
  priority: String,
};

/** @param draft the task that is about to be created; undefined if it exists */
export function listenerHeaders(
  { event, changes }: TaskListening,
  draft: TaskDraft | undefined,
): { [name: string]: string } {
  const values: { [name: string]: unknown } = { ...draft, ...changes };
  const changed = Object.keys(changes);
  const headers: { [name: string]: string } = { [`${PREFIX}action`]: ACTIONS[event] };
  if (changed.length > 0) headers[`${PREFIX}changedAttributes`] = JSON.stringify(changed);
  for (const [member, textOf] of Object.entries(MEMBERS) as [string, (value: unknown) => string][]) {
    const value = values[member];
    if (value !== undefined && value !== null) headers[PREFIX + member] = textOf(value);
  }
  if (draft?.formKey !== undefined) headers[`${PREFIX}formKey`] = draft.formKey;
  return headers;
}
