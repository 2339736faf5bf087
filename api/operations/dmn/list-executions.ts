import { z } from 'zod';
import { listExecutions } from '../../../store/decisions/executed.js';
import { findDefinition } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { businessId, givenTimestamp, pageQuery, uuid } from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { toExecution } from './shared/execution.js';
import { executionPage } from './shared/schemas.js';

export const listDmnExecutions = defineOperation({
  operationID: 'ListExecutions',
  method: 'GET',
  path: '/projects/{projectID}/dmn/definitions/{definitionID}/executions',
  role: 'viewer',
  summary: 'List evaluations of a DMN definition version',
  description: 'Newest first.',
  request: {
    params: { definitionID: uuid },
    query: z.strictObject({
      definitionsID: z.string().max(255).optional(),
      startDate: givenTimestamp.optional(),
      businessId: businessId.optional(),
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of evaluations', schema: executionPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { projectID, definitionID } = params;
  if ((await findDefinition(context.store, projectID, definitionID)) === undefined)
    return notFound(`no decision definition ${definitionID} in ${projectID}`);
  const filter = {
    definitionID,
    definitionsID: query.definitionsID,
    businessID: query.businessId,
    since: dateOf(query.startDate),
  };
  return {
    status: 200,
    body: pageResponse(query, await listExecutions(context.store, projectID, filter, query), toExecution),
  };
});
