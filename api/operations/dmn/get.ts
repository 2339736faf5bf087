import { findDefinition } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toDefinition } from './shared/definition.js';
import { definition } from './shared/schemas.js';

export const getDmnDefinition = defineOperation({
  operationID: 'GetDefinition',
  method: 'GET',
  path: '/projects/{projectID}/dmn/definitions/{definitionID}',
  role: 'viewer',
  summary: 'Get a DMN definition version',
  request: { params: { definitionID: uuid } },
  responses: { 200: { description: 'Version with its file', schema: definition } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findDefinition(context.store, params.projectID, params.definitionID);
  return found === undefined
    ? notFound(`no decision definition ${params.definitionID} in ${params.projectID}`)
    : { status: 200, body: toDefinition(found) };
});
