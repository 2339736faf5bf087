import { parseExecutionKey } from '../../../store/ids.js';
import { assignUserTask } from '../../../store/user-tasks.js';
import { defineOperation } from '../../operation.js';
import { notFound } from '../../problem.js';
import { refusalProblem } from '../../refusal.js';
import { updateAssignmentRequest, userTask } from './schemas.js';
import { toUserTask } from './user-task.js';

export const updateBpmnUserTaskAssignment = defineOperation({
  operationID: 'UpdateBpmnUserTaskAssignment',
  method: 'PATCH',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}',
  role: 'executor',
  summary: 'Update the assignee and candidates of an open task',
  request: { body: updateAssignmentRequest },
  responses: { 200: { description: 'Updated task', schema: userTask } },
  problems: ['CONFLICT'],
}).handle(async ({ params, body, context }) => {
  const key = parseExecutionKey(params.executionKey);
  if (key === undefined) return notFound('the execution key names no user task');
  const assigned = await assignUserTask(context.store, { projectID: params.projectID, ...key }, body);
  return 'kind' in assigned ? refusalProblem(assigned) : { status: 200, body: toUserTask(assigned) };
});
