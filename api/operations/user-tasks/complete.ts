import { completeUserTask } from '../../../store/work/user-tasks.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../contract/operation.js';
import { isProblem } from '../../contract/problem.js';
import { asVariables, tooManyVariables } from '../../commands/variables.js';
import { command } from '../../contract/command.js';
import { checkTaskForm } from '../forms/shared/check-submission.js';
import { completeUserTaskRequest } from './shared/schemas.js';
import { findTaskFor } from './shared/user-task.js';

export const completeBpmnUserTask = defineOperation({
  operationID: 'CompleteBpmnUserTask',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete',
  role: 'viewer',
  summary: 'Complete a user task',
  description: 'Executors can complete any task, viewers only tasks that name them.',
  request: { body: completeUserTaskRequest.default({}) },
  responses: { 200: { description: 'Result applied', schema: command }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'SUSPENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  const tooLarge = tooManyVariables(body.variables);
  if (tooLarge !== undefined) return tooLarge;
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const refused = await checkTaskForm(context, found, body.variables);
  if (refused !== undefined) return refused;
  const submitted = await completeUserTask(context.store, {
    ...found.key,
    variables: asVariables(body.variables),
    actor: caller.subject,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  return submitAndAwait(context, found.key.workflowID, submitted, headers.waitMilliseconds);
});
