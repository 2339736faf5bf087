import { findExecution } from '../../../store/decisions/executed.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toExecution } from './shared/execution.js';
import { execution } from './shared/schemas.js';

export const getDmnExecution = defineOperation({
  operationID: 'GetExecution',
  method: 'GET',
  path: '/projects/{projectID}/dmn/executions/{executionID}',
  role: 'viewer',
  summary: 'Get a recorded evaluation',
  request: { params: { executionID: uuid } },
  responses: { 200: { description: 'Evaluation with its inputs and results', schema: execution } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findExecution(context.store, params.projectID, params.executionID);
  return found === undefined
    ? notFound(`no execution ${params.executionID} in ${params.projectID}`)
    : { status: 200, body: toExecution(found) };
});
