import { findCommand } from '../../../store/instances/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { optional, optionalTime } from '../../contract/wire.js';
import { command } from '../../contract/command.js';

export const getBpmnCommand = defineOperation({
  operationID: 'GetBpmnCommand',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/commands/{commandID}',
  role: 'viewer',
  summary: 'Get the outcome of a command',
  description: 'A command is a request that was answered with 202.',
  request: { params: { commandID: uuid } },
  responses: { 200: { description: 'Command', schema: command } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findCommand(context.store, params);
  if (found === undefined) return notFound(`no command ${params.commandID} of instance ${params.workflowID}`);
  const { id, status, code, message, issues, appliedAt } = found;
  return {
    status: 200,
    body: {
      commandID: id,
      status,
      code: optional(code),
      message: optional(message),
      issues: optional(issues),
      appliedAt: optionalTime(appliedAt),
    },
  };
});
