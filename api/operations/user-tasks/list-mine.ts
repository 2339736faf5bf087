import {
  listUserTasks,
  streamUserTasks,
  userTaskSorts,
  type UserTaskFilter,
} from '../../../store/work/user-tasks/lists.js';
import type { Caller } from '../../access/caller.js';
import { isTest } from '../../contract/schemas.js';
import { defineList } from '../../commands/define-list.js';
import { filterOf, inboxFilters } from './shared/filters.js';
import { principal, userTask, userTaskPage } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

export const listBpmnUserTasksForCaller = defineList({
  operationID: 'ListBpmnUserTasksForCaller',
  path: '/projects/{projectID}/bpmn/user-tasks/me',
  role: 'viewer',
  summary: "List the caller's open user tasks",
  description:
    'Lists the open tasks that name the caller: as assignee, as candidate user, or through a group of the token. ' +
    '`followUpBefore` also finds tasks without a follow-up date.',
  filters: { ...inboxFilters, isTest, assignee: principal.optional() },
  sorts: userTaskSorts,
  item: userTask,
  page: userTaskPage,
}).rows({
  page: ({ params, query, caller, context }, page) =>
    listUserTasks(context.store, params.projectID, { ...filterOf(query), ...openTasksOf(caller) }, page),
  all: ({ params, query, caller, context }, order) =>
    streamUserTasks(context.store, params.projectID, { ...filterOf(query), ...openTasksOf(caller) }, order),
  toItem: toUserTask,
});

function openTasksOf({ subject, groups }: Caller): UserTaskFilter {
  return { statuses: ['CREATED'], person: { subject, groups: [...groups] } };
}
