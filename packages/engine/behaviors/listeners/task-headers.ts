/** The headers by which the job of a task listener tells its worker about the task. Their names are those of Camunda 8. */
import { TASK_HEADERS, type TaskChanges, type TaskHeader, type TaskListenerEvent } from '../../contract/facts.js';
import type { TaskDraft, TaskListening } from '../../state/element-data.js';
import { textOfInstant } from '../../time/iso8601.js';

type Headers = { [name: string]: string };

const ACTIONS: { readonly [event in TaskListenerEvent]: string } = {
  creating: 'create',
  assigning: 'assign',
  updating: 'update',
  completing: 'complete',
  canceling: 'cancel',
};

const MEMBERS: { readonly [member in keyof TaskChanges]-?: (value: NonNullable<TaskChanges[member]>) => string } = {
  assignee: (assignee) => assignee,
  candidateUsers: (users) => JSON.stringify(users),
  candidateGroups: (groups) => JSON.stringify(groups),
  dueDate: textOfInstant,
  followUpDate: textOfInstant,
  priority: String,
};

const HEADERS: readonly TaskHeader[] = [...(Object.keys(MEMBERS) as (keyof TaskChanges)[]), 'formKey', 'userTaskKey'];

/** @param draft the task that is about to be created, or was in this step */
export function listenerHeaders({ event, changes }: TaskListening, draft: TaskDraft | undefined): Headers {
  const changed = Object.keys(changes);
  return {
    [`${TASK_HEADERS}action`]: ACTIONS[event],
    ...(changed.length > 0 && { [`${TASK_HEADERS}changedAttributes`]: JSON.stringify(changed) }),
    ...valueHeaders({ ...draft, ...changes }),
    ...(draft?.formKey !== undefined && { [`${TASK_HEADERS}formKey`]: draft.formKey }),
  };
}

/** The headers of values; null and undefined have none. */
export function valueHeaders(values: TaskChanges): Headers {
  const given: { [name: string]: unknown } = { ...values };
  return Object.fromEntries(
    (Object.entries(MEMBERS) as [string, (value: unknown) => string][]).flatMap(
      ([member, textOf]): [string, string][] =>
        given[member] === undefined || given[member] === null ? [] : [[TASK_HEADERS + member, textOf(given[member])]],
    ),
  );
}

/** The headers that an existing task has values of: those that neither the request nor the model gives. */
export function headersOfRow({ changes }: TaskListening, headers: Headers): TaskHeader[] {
  return HEADERS.filter((header) => !(header in changes) && !(TASK_HEADERS + header in headers));
}
