import { unclaimUserTask } from '../../../store/work/user-tasks/assignment.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { isProblem } from '../../contract/problem.js';
import { isExecutor } from '../../access/user-task.js';
import { userTask } from './shared/schemas.js';
import { changedTask, findTaskFor } from './shared/user-task.js';

export const unclaimBpmnUserTask = defineOperation({
  operationID: 'UnclaimBpmnUserTask',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/unclaim',
  role: 'viewer',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Remove the assignee of a user task',
  description: 'The assignee and executors can do so. A task without an assignee stays as it is.',
  request: {},
  responses: { 200: { description: 'Task without an assignee', schema: userTask } },
  problems: ['CONFLICT'],
}).handle(async ({ params, caller, context }) => {
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const byForce = isExecutor(caller, params.projectID);
  return changedTask(await unclaimUserTask(context.store, found.key, { actor: caller.subject, byForce }));
});
