import { parseExecutionKey } from '../../../store/sql/ids.js';
import { assignUserTask } from '../../../store/work/user-tasks.js';
import { defineOperation } from '../../contract/operation.js';
import { notFound } from '../../contract/problem.js';
import { refusalProblem } from '../../commands/refusal.js';
import { updateAssignmentRequest, userTask } from './shared/schemas.js';
import { toUserTask } from './shared/user-task.js';

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
