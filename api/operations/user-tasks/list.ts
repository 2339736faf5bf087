import { listUserTasks, streamUserTasks, userTaskSorts } from '../../../store/work/user-tasks/lists.js';
import { isTest } from '../../contract/schemas.js';
import { defineList } from '../../commands/define-list.js';
import { filterOf, taskFilters } from './shared/filters.js';
import { userTask, userTaskPage } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

export const listBpmnUserTasks = defineList({
  operationID: 'ListBpmnUserTasks',
  path: '/projects/{projectID}/bpmn/user-tasks',
  role: 'executor',
  summary: 'List user tasks',
  description:
    'Newest first. `followUpBefore` also finds tasks without a follow-up date. Rows without a value to sort by come last in both orders.',
  filters: { ...taskFilters, isTest },
  sorts: userTaskSorts,
  item: userTask,
  page: userTaskPage,
}).rows({
  page: ({ params, query, context }, page) => listUserTasks(context.store, params.projectID, filterOf(query), page),
  all: ({ params, query, context }, order) => streamUserTasks(context.store, params.projectID, filterOf(query), order),
  toItem: toUserTask,
});
