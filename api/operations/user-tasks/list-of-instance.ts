import { z } from 'zod';
import { findInstance } from '../../../store/instances.js';
import { listUserTasks } from '../../../store/user-tasks.js';
import { defineOperation } from '../../operation.js';
import { pageResponse } from '../../page.js';
import { notFound } from '../../problem.js';
import { pageQuery } from '../../schemas.js';
import { userTaskPage, userTaskStatus } from './schemas.js';
import { toUserTask } from './user-task.js';

export const listBpmnInstanceUserTasks = defineOperation({
  operationID: 'ListBpmnInstanceUserTasks',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/user-tasks',
  role: 'executor',
  summary: 'List the user tasks of an instance',
  description: 'Newest first.',
  request: { query: z.strictObject({ status: userTaskStatus.optional(), ...pageQuery }) },
  responses: { 200: { description: 'Page of tasks', schema: userTaskPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { projectID, workflowID } = params;
  if ((await findInstance(context.store, projectID, workflowID)) === undefined)
    return notFound(`no instance ${workflowID}`);
  const tasks = await listUserTasks(context.store, projectID, { workflowID, status: query.status }, query);
  return { status: 200, body: pageResponse(query, tasks, toUserTask) };
});
