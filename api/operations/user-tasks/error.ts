import { throwUserTaskError } from '../../../store/work/user-tasks/ending.js';
import { defineCommand } from '../../commands/define-command.js';
import { variableNames } from '../../contract/audit/recording.js';
import { isProblem } from '../../contract/problem.js';
import { userTaskErrorRequest } from './shared/schemas.js';
import { findTaskFor } from './shared/user-task.js';

export const throwBpmnUserTaskError = defineCommand({
  operationID: 'ThrowBpmnUserTaskError',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/error',
  role: 'viewer',
  summary: 'Fail a user task with a BPMN error',
  description: 'An error event catches the error, or it becomes an incident.',
  request: { body: userTaskErrorRequest },
  says: ({ body }) => ({ ...variableNames({ body }), details: { errorCode: body.errorCode } }),
  applied: 'Error applied',
  problems: ['SUSPENDED'],
}).submit(async ({ params, body, caller, context }, request) => {
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  return throwUserTaskError(context.store, { ...request, ...found.key, ...body });
});
