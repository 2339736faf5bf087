import { updateUserTask } from '../../../store/work/user-tasks/assignment.js';
import { isDecided } from '../../../store/work/user-tasks/decided.js';
import { recorded } from '../../audit/recording.js';
import { acceptedResponse } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem } from '../../contract/problem.js';
import { optionalDate } from '../../contract/wire.js';
import { updateUserTaskRequest, userTask } from './shared/schemas.js';
import { askListeners, changedTask, decidedOperation, findTaskFor } from './shared/user-task.js';

export const updateBpmnUserTaskAssignment = defineOperation({
  operationID: 'UpdateBpmnUserTaskAssignment',
  method: 'PATCH',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}',
  role: 'executor',
  records: {
    entry: 'within',
    says: ({ body }) => ({ details: { ...body, expectedAssignee: undefined, reason: undefined } }),
  },
  summary: 'Update an open user task',
  description:
    'Replaces assignee, candidates, dates, and priority. With `expectedAssignee`, the task changes only if it has that assignee. ' +
    'Listeners of the task can decide about it, as about a claim: `assigning` about the assignee, `updating` about the rest.',
  request: { body: updateUserTaskRequest },
  responses: { 200: { description: 'Updated task', schema: userTask }, 202: acceptedResponse },
  ...decidedOperation,
}).handle(async (input) => {
  const { params, body, caller, context } = input;
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const { dueDate, followUpDate, expectedAssignee, reason, ...rest } = body;
  const update = { ...rest, dueDate: optionalDate(dueDate), followUpDate: optionalDate(followUpDate) };
  if (isDecided(found.task, update)) return askListeners(input, found, { update, expectedAssignee, reason });
  const change = { ...update, expectedAssignee, reason, actor: caller.subject };
  return recorded(input, async (store) => changedTask(await updateUserTask(store, found.key, change)));
});
