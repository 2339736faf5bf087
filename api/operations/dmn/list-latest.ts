import { z } from 'zod';
import { listLatestDefinitions } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { pageQuery } from '../../contract/schemas.js';
import { toListedDefinition } from './shared/definition.js';
import { definitionPage } from './shared/schemas.js';

export const listLatestDmnDefinitions = defineOperation({
  operationID: 'ListLatestDefinitions',
  method: 'GET',
  path: '/projects/{projectID}/dmn/definitions/latest',
  role: 'viewer',
  summary: 'List the newest version of each DMN file',
  description: 'Newest first.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of versions', schema: definitionPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await listLatestDefinitions(context.store, params.projectID, query);
  return { status: 200, body: pageResponse(query, found, toListedDefinition) };
});
