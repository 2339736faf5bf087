import { indexedText } from '../../../store/sql/text.js';
import { unclaimUserTask } from '../../../store/work/user-tasks/assignment.js';
import { isDecided } from '../../../store/work/user-tasks/decided.js';
import { recorded } from '../../audit/recording.js';
import { acceptedResponse } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { isProblem } from '../../contract/problem.js';
import { isExecutor } from '../../access/user-task.js';
import { userTask } from './shared/schemas.js';
import { askListeners, changedTask, decidedOperation, findTaskFor } from './shared/user-task.js';

export const unclaimBpmnUserTask = defineOperation({
  operationID: 'UnclaimBpmnUserTask',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/unclaim',
  role: 'viewer',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Remove the assignee of a user task',
  description:
    'The assignee and executors can do so. A task without an assignee stays as it is. Listeners of the task can decide about it, as about a claim.',
  request: {},
  responses: { 200: { description: 'Task without an assignee', schema: userTask }, 202: acceptedResponse },
  ...decidedOperation,
}).handle(async (input) => {
  const { params, caller, context } = input;
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const byForce = isExecutor(caller, params.projectID);
  const { task } = found;
  const update = { assignee: null };
  if (isDecided(task, update) && task.assignee !== null && (byForce || task.assignee === indexedText(caller.subject)))
    return askListeners(input, found, { update, expectedAssignee: task.assignee });
  const by = { actor: caller.subject, byForce };
  return recorded(input, async (store) => changedTask(await unclaimUserTask(store, found.key, by)));
});
