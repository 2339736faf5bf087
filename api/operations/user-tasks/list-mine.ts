import { z } from 'zod';
import { listUserTasksFor } from '../../../store/work/user-tasks.js';
import { defineOperation } from '../../contract/operation.js';
import { pageResponse } from '../../commands/page.js';
import { pageQuery } from '../../contract/schemas.js';
import { userTaskPage } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

export const listBpmnUserTasksForCaller = defineOperation({
  operationID: 'ListBpmnUserTasksForCaller',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/user-tasks/me',
  role: 'viewer',
  summary: "List the caller's open user tasks",
  description: 'Lists the tasks that name the caller: as assignee, as candidate user, or through a group of the token.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of tasks, newest first', schema: userTaskPage } },
  problems: [],
}).handle(async ({ params, query, caller, context }) => {
  const person = { subject: caller.subject, groups: [...caller.groups] };
  const tasks = await listUserTasksFor(context.store, params.projectID, person, query);
  return { status: 200, body: pageResponse(query, tasks, toUserTask) };
});
