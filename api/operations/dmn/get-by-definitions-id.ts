import { z } from 'zod';
import { findDefinitionByFile } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { modelIdentifier } from '../../contract/schemas.js';
import { toDefinition } from './shared/definition.js';
import { definition, queryVersion } from './shared/schemas.js';

export const getDmnDefinitionByDefinitionsID = defineOperation({
  operationID: 'GetDefinitionByDefinitionsID',
  method: 'GET',
  path: '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}',
  role: 'viewer',
  summary: 'Get a version of a DMN file by its own id',
  description: 'Returns the newest version, or `version`, of the file whose `definitions` element has this id.',
  request: { params: { definitionsID: modelIdentifier }, query: z.strictObject({ version: queryVersion }) },
  responses: { 200: { description: 'Version with its file', schema: definition } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await findDefinitionByFile(context.store, params.projectID, params.definitionsID, query.version);
  return found === undefined
    ? notFound(`no version of ${params.definitionsID} in ${params.projectID}`)
    : { status: 200, body: toDefinition(found) };
});
