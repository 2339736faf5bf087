import { submitCommand } from '../../../store/instances/submit-command.js';
import { defineCommand } from '../../commands/define-command.js';
import { variableNames } from '../../contract/audit/recording.js';
import { setVariablesRequest } from './shared/schemas.js';

export const updateBpmnInstanceVariables = defineCommand({
  operationID: 'UpdateBpmnInstanceVariables',
  method: 'PUT',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/variables',
  role: 'editor',
  summary: 'Set process variables of an instance',
  description: 'Null removes a variable. Variables that are not named do not change.',
  request: { body: setVariablesRequest },
  says: variableNames,
  applied: 'Variables set',
}).submit(({ params, body, context }, request) =>
  submitCommand(context.store, {
    ...request,
    workflowID: params.workflowID,
    reason: body.reason,
    body: { kind: 'SET_VARIABLES', variables: body.variables },
  }),
);
