import { z } from 'zod';
import { findInstance } from '../../../store/instances/instances.js';
import { listUserTasks, userTaskFilters, userTaskSorts } from '../../../store/work/user-tasks/lists.js';
import { defineOperation } from '../../commands/define-operation.js';
import { describeList, filterOf, queryFilters } from '../../commands/list-filters.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { order, pageQuery } from '../../contract/schemas.js';
import { userTaskPage } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

const { workflowID: _, ...filters } = userTaskFilters;

export const listBpmnInstanceUserTasks = defineOperation({
  operationID: 'ListBpmnInstanceUserTasks',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/user-tasks',
  role: 'executor',
  summary: 'List the user tasks of an instance',
  description: 'Newest first. `followUpBefore` also finds tasks without a follow-up date.',
  request: {
    query: z.strictObject({
      ...queryFilters(filters),
      sort: z.enum(userTaskSorts).default('createdAt'),
      order,
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of tasks', schema: userTaskPage } },
  problems: [],
  list: describeList(filters, { sorts: userTaskSorts }),
}).handle(async ({ params, query, context }) => {
  const { projectID, workflowID } = params;
  if ((await findInstance(context.store, projectID, workflowID)) === undefined)
    return notFound(`no instance ${workflowID}`);
  const tasks = await listUserTasks(context.store, projectID, { ...filterOf(filters, query), workflowID }, query);
  return { status: 200, body: pageResponse(query, tasks, toUserTask) };
});
