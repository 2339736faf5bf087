import { z } from 'zod';
import { listDecisions } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { pageQuery } from '../../contract/schemas.js';
import { decisionPage } from './shared/schemas.js';

export const listDmnDecisions = defineOperation({
  operationID: 'ListDecisions',
  method: 'GET',
  path: '/projects/{projectID}/dmn/decisions',
  role: 'viewer',
  summary: 'List decisions',
  description: 'Lists the decisions of the newest version of each DMN file, by name.',
  request: { query: z.strictObject({ ...pageQuery, q: z.string().max(255).optional() }) },
  responses: { 200: { description: 'Page of decisions', schema: decisionPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await listDecisions(context.store, params.projectID, query.q, query);
  return { status: 200, body: pageResponse(query, found, (decision) => decision) };
});
