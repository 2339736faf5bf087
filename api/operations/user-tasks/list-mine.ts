import {
  inboxFilters,
  listInbox,
  streamInbox,
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
  page: ({ params, caller, context }, page, filter) =>
    listInbox(context.store, params.projectID, caller, { ...filter, ...OPEN }, page),
  all: ({ params, caller, context }, order, filter) =>
    streamInbox(context.store, params.projectID, caller, { ...filter, ...OPEN }, order),
  toItem: toUserTask,
});

const OPEN = { status: ['CREATED'] };
