import { updateUserTask } from '../../../store/work/user-tasks/assignment.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem } from '../../contract/problem.js';
import { optionalDate } from '../../contract/wire.js';
import { updateUserTaskRequest, userTask } from './shared/schemas.js';
import { changedTask, findTaskFor } from './shared/user-task.js';

export const updateBpmnUserTaskAssignment = defineOperation({
  operationID: 'UpdateBpmnUserTaskAssignment',
  method: 'PATCH',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}',
  role: 'executor',
  records: {
    entry: 'around',
    says: ({ body }) => ({ details: { ...body, expectedAssignee: undefined, reason: undefined } }),
  },
  summary: 'Update an open user task',
  description:
    'Replaces assignee, candidates, dates, and priority. With `expectedAssignee`, the task changes only if it has that assignee.',
  request: { body: updateUserTaskRequest },
  responses: { 200: { description: 'Updated task', schema: userTask } },
  problems: ['CONFLICT'],
}).handle(async ({ params, body, caller, context }) => {
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const { dueDate, followUpDate, ...rest } = body;
  return changedTask(
    await updateUserTask(context.store, found.key, {
      ...rest,
      dueDate: optionalDate(dueDate),
      followUpDate: optionalDate(followUpDate),
      actor: caller.subject,
    }),
  );
});
