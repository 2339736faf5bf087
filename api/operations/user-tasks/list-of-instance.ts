import { z } from 'zod';
import { findInstance } from '../../../store/instances/instances.js';
import { listUserTasks } from '../../../store/work/user-tasks.js';
import { defineOperation } from '../../contract/operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery } from '../../contract/schemas.js';
import { userTaskPage, userTaskStatus } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

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
