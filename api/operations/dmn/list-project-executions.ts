import { z } from 'zod';
import { listExecutions } from '../../../store/decisions/executed.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { businessId, pageQuery } from '../../contract/schemas.js';
import { toExecution } from './shared/execution.js';
import { executionPage } from './shared/schemas.js';

export const listProjectDmnExecutions = defineOperation({
  operationID: 'ListProjectExecutions',
  method: 'GET',
  path: '/projects/{projectID}/dmn/executions',
  role: 'viewer',
  summary: 'List evaluations of a project',
  description: 'Newest first.',
  request: {
    query: z.strictObject({
      definitionsID: z.string().max(255).optional(),
      businessId: businessId.optional(),
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of evaluations', schema: executionPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const filter = { definitionsID: query.definitionsID, businessID: query.businessId };
  return {
    status: 200,
    body: pageResponse(query, await listExecutions(context.store, params.projectID, filter, query), toExecution),
  };
});
