import { parseExecutionKey } from '../../../store/sql/ids.js';
import { completeUserTask, completeWithoutForm } from '../../../store/work/user-tasks/ending.js';
import { isExecutor } from '../../access/user-task.js';
import { defineCommand } from '../../commands/define-command.js';
import { variableNames } from '../../contract/audit/recording.js';
import { isProblem } from '../../contract/problem.js';
import { checkTaskForm } from '../forms/shared/check-submission.js';
import { completeUserTaskRequest } from './shared/schemas.js';
import { findTaskFor } from './shared/user-task.js';

export const completeBpmnUserTask = defineCommand({
  operationID: 'CompleteBpmnUserTask',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete',
  role: 'viewer',
  summary: 'Complete a user task',
  description:
    'Executors can complete any task, viewers only tasks that name them. ' +
    'If listeners of the task decide about its completion, it takes effect with them: 202 if they take longer than the request waits, 409 with the reason if one denies it.',
  request: { body: completeUserTaskRequest.default({}) },
  says: variableNames,
  applied: 'Result applied',
  problems: ['SUSPENDED'],
}).submit(async ({ params, body, caller, context }, request) => {
  const key = parseExecutionKey(params.executionKey);
  if (key !== undefined && isExecutor(caller, params.projectID)) {
    const completed = await completeWithoutForm(context.store, { ...request, ...key, ...body });
    if (completed !== undefined) return completed;
  }
  // The caller's right, the form, and the reason of a refusal.
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const refused = await checkTaskForm(context, found, body.variables);
  if (refused !== undefined) return refused;
  return completeUserTask(context.store, { ...request, ...found.key, ...body });
});
