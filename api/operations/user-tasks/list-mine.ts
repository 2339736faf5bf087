import {
  inboxFilters,
  listUserTasks,
  streamUserTasks,
  userTaskFilters,
  userTaskSorts,
} from '../../../store/work/user-tasks/lists.js';
import { defineList } from '../../commands/define-list.js';
import { userTask, userTaskPage } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

export const listBpmnUserTasksForCaller = defineList({
  operationID: 'ListBpmnUserTasksForCaller',
  path: '/projects/{projectID}/bpmn/user-tasks/me',
  role: 'viewer',
  summary: "List the caller's open user tasks",
  description:
    'Lists the open tasks that name the caller: as assignee, as candidate user, or through a group of the token. ' +
    '`followUpBefore` also finds tasks without a follow-up date.',
  filters: { ...inboxFilters, assignee: userTaskFilters.assignee },
  hasTests: true,
  sorts: userTaskSorts,
  item: userTask,
  page: userTaskPage,
}).rows({
  page: ({ params, filter, caller, context }, page) =>
    listUserTasks(context.store, params.projectID, { ...filter, ...OPEN }, page, caller),
  all: ({ params, filter, caller, context }, order) =>
    streamUserTasks(context.store, params.projectID, { ...filter, ...OPEN }, order, caller),
  toItem: toUserTask,
});

const OPEN = { status: ['CREATED'] };
