import { claimUserTask } from '../../../store/work/user-tasks/assignment.js';
import { isDecided } from '../../../store/work/user-tasks/decided.js';
import { recorded } from '../../audit/recording.js';
import { acceptedResponse } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { isProblem } from '../../contract/problem.js';
import { userTask } from './shared/schemas.js';
import { askListeners, changedTask, decidedOperation, findTaskFor } from './shared/user-task.js';

export const claimBpmnUserTask = defineOperation({
  operationID: 'ClaimBpmnUserTask',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/claim',
  role: 'viewer',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Claim a user task',
  description:
    'Makes the caller the assignee of an open task without an assignee. Claiming it again changes nothing. ' +
    'Executors can claim any task, viewers only tasks that name them. Candidates can still complete a task that another person has claimed. ' +
    'If listeners of the task decide about the assignment, it takes effect with them: 202 if they take longer than the request waits, 409 if one denies it.',
  request: {},
  responses: { 200: { description: 'Claimed task', schema: userTask }, 202: acceptedResponse },
  ...decidedOperation,
}).handle(async (input) => {
  const { params, caller, context } = input;
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const update = { assignee: caller.subject };
  if (isDecided(found.task, update) && found.task.assignee === null)
    return askListeners(input, found, { update, expectedAssignee: null });
  return recorded(input, async (store) => changedTask(await claimUserTask(store, found.key, caller.subject)));
});
