import { claimUserTask } from '../../../store/work/user-tasks/assignment.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { isProblem } from '../../contract/problem.js';
import { userTask } from './shared/schemas.js';
import { changedTask, findTaskFor } from './shared/user-task.js';

export const claimBpmnUserTask = defineOperation({
  operationID: 'ClaimBpmnUserTask',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/claim',
  role: 'viewer',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Claim a user task',
  description:
    'Makes the caller the assignee of an open task without an assignee. Claiming it again changes nothing. ' +
    'Executors can claim any task, viewers only tasks that name them. Candidates can still complete a task that another person has claimed.',
  request: {},
  responses: { 200: { description: 'Claimed task', schema: userTask } },
  problems: ['CONFLICT'],
}).handle(async ({ params, caller, context }) => {
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  return changedTask(await claimUserTask(context.store, found.key, caller.subject));
});
