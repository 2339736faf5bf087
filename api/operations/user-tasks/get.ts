import { defineOperation } from '../../commands/define-operation.js';
import { isProblem } from '../../contract/problem.js';
import { userTask } from './shared/schemas.js';
import { findTaskFor, toUserTask } from './shared/user-task.js';

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
