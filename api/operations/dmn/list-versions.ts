import { z } from 'zod';
import { listDefinitions } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { modelIdentifier, pageQuery } from '../../contract/schemas.js';
import { toListedDefinition } from './shared/definition.js';
import { definitionPage } from './shared/schemas.js';

export const listDmnDefinitionVersions = defineOperation({
  operationID: 'ListDefinitionVersions',
  method: 'GET',
  path: '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}/versions',
  role: 'viewer',
  summary: 'List the versions of a DMN file',
  description: 'Newest first.',
  request: { params: { definitionsID: modelIdentifier }, query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of versions', schema: definitionPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await listDefinitions(context.store, params.projectID, query, params.definitionsID);
  if (found.total === 0) return notFound(`no version of ${params.definitionsID} in ${params.projectID}`);
  return { status: 200, body: pageResponse(query, found, toListedDefinition) };
});
