import { submitCommand } from '../../../store/instances/commands.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../contract/operation.js';
import { asVariables, tooManyVariables } from '../../commands/variables.js';
import { command } from '../../contract/command.js';
import { setVariablesRequest } from './shared/schemas.js';

export const updateBpmnInstanceVariables = defineOperation({
  operationID: 'UpdateBpmnInstanceVariables',
  method: 'PUT',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/variables',
  role: 'editor',
  summary: 'Set process variables of an instance',
  description: 'Null removes a variable. Variables that are not named do not change.',
  request: { body: setVariablesRequest },
  responses: { 200: { description: 'Variables set', schema: command }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  const tooLarge = tooManyVariables(body.variables);
  if (tooLarge !== undefined) return tooLarge;
  const submitted = await submitCommand(context.store, {
    projectID: params.projectID,
    workflowID: params.workflowID,
    body: { kind: 'SET_VARIABLES', variables: asVariables(body.variables) },
    actor: caller.subject,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  return submitAndAwait(context, params.workflowID, submitted, headers.waitMilliseconds);
});
