import {
  listUserTasks,
  slowUserTaskOrders,
  streamUserTasks,
  userTaskFilters,
  userTaskSorts,
} from '../../../store/work/user-tasks/lists.js';
import { defineList } from '../../commands/define-list.js';
import { userTask, userTaskPage } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

export const listBpmnUserTasks = defineList({
  operationID: 'ListBpmnUserTasks',
  path: '/projects/{projectID}/bpmn/user-tasks',
  role: 'executor',
  summary: 'List user tasks',
  description:
    'Newest first. `followUpBefore` also finds tasks without a follow-up date. Rows without a value to sort by come last in both orders. ' +
    'In a large project, `dueDate` and `priority` are fast orders only with `status=CREATED`.',
  filters: userTaskFilters,
  hasTests: true,
  sorts: userTaskSorts,
  slow: slowUserTaskOrders,
  item: userTask,
  page: userTaskPage,
}).rows({
  page: ({ params, context }, page, filter) => listUserTasks(context.store, params.projectID, filter, page),
  all: ({ params, context }, order, filter) => streamUserTasks(context.store, params.projectID, filter, order),
  toItem: toUserTask,
});
