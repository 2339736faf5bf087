import { z } from 'zod';
import { listDefinitions } from '../../../store/decisions.js';
import { defineOperation } from '../../operation.js';
import { pageResponse } from '../../page.js';
import { pageQuery } from '../../schemas.js';
import { toDefinition } from './definition.js';
import { definitionPage } from './schemas.js';

export const listDmnDefinitions = defineOperation({
  operationID: 'ListDefinitions',
  method: 'GET',
  path: '/projects/{projectID}/dmn/definitions',
  role: 'viewer',
  summary: 'List the versions of all DMN files',
  description: 'Newest first.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of versions', schema: definitionPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await listDefinitions(context.store, params.projectID, query);
  return { status: 200, body: pageResponse(query, found, toDefinition) };
});
