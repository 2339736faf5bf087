import { z } from 'zod';
import { listUserTasks } from '../../../store/work/user-tasks.js';
import { defineOperation } from '../../contract/operation.js';
import { pageResponse } from '../../commands/page.js';
import { businessId, givenWorkflowID, pageQuery } from '../../contract/schemas.js';
import { principal, userTaskPage, userTaskStatus } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

export const listBpmnUserTasks = defineOperation({
  operationID: 'ListBpmnUserTasks',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/user-tasks',
  role: 'executor',
  summary: 'List user tasks',
  description: 'Newest first.',
  request: {
    query: z.strictObject({
      workflowID: givenWorkflowID.optional(),
      status: userTaskStatus.optional(),
      assignee: principal.optional(),
      candidateUser: principal.optional(),
      candidateGroup: principal.optional(),
      businessId: businessId.optional(),
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of tasks', schema: userTaskPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { workflowID, status, assignee, candidateUser, candidateGroup } = query;
  const filter = { workflowID, status, assignee, candidateUser, candidateGroup, businessID: query.businessId };
  const tasks = await listUserTasks(context.store, params.projectID, filter, query);
  return { status: 200, body: pageResponse(query, tasks, toUserTask) };
});
