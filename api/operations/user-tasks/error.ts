import { throwUserTaskError } from '../../../store/work/user-tasks.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../contract/operation.js';
import { isProblem } from '../../contract/problem.js';
import { asVariables, tooManyVariables } from '../../commands/variables.js';
import { command } from '../../contract/command.js';
import { userTaskErrorRequest } from './shared/schemas.js';
import { findTaskFor } from './shared/user-task.js';

export const throwBpmnUserTaskError = defineOperation({
  operationID: 'ThrowBpmnUserTaskError',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/error',
  role: 'viewer',
  summary: 'Fail a user task with a BPMN error',
  description: 'An error event catches the error, or it becomes an incident.',
  request: { body: userTaskErrorRequest },
  responses: { 200: { description: 'Error applied', schema: command }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'SUSPENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  const tooLarge = tooManyVariables(body.variables);
  if (tooLarge !== undefined) return tooLarge;
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const submitted = await throwUserTaskError(context.store, {
    ...found.key,
    errorCode: body.errorCode,
    variables: asVariables(body.variables),
    actor: caller.subject,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  return submitAndAwait(context, found.key.workflowID, submitted, headers.waitMilliseconds);
});
