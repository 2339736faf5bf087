import { readVariables } from '../../../store/instances/instances.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { variablesResponse } from './shared/schemas.js';

export const getBpmnInstanceVariables = defineOperation({
  operationID: 'GetBpmnInstanceVariables',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/variables',
  role: 'viewer',
  summary: 'Get the process variables of an instance',
  description: 'Returns the current variables, or those at the end of the instance.',
  request: {},
  responses: { 200: { description: 'Variables', schema: variablesResponse } },
  problems: [],
}).handle(async ({ params, context }) => {
  const variables = await readVariables(context.store, params.projectID, params.workflowID);
  return variables === undefined ? notFound(`no instance ${params.workflowID}`) : { status: 200, body: { variables } };
});
