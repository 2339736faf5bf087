import { defineOperation } from '../../operation.js';
import { isProblem } from '../../problem.js';
import { userTask } from './schemas.js';
import { findTaskFor, toUserTask } from './user-task.js';

export const getBpmnUserTask = defineOperation({
  operationID: 'GetBpmnUserTask',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}',
  role: 'viewer',
  summary: 'Get a user task',
  description: 'Viewers see only tasks that name them.',
  request: {},
  responses: { 200: { description: 'Task', schema: userTask } },
  problems: [],
}).handle(async ({ params, caller, context }) => {
  const found = await findTaskFor(context, caller, params);
  return isProblem(found) ? found : { status: 200, body: toUserTask(found.task) };
});
