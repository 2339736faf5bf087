import { z } from 'zod';
import { executionFilters, listExecutions } from '../../../store/decisions/executed.js';
import { findDefinition } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { describeList, filterOf, queryFilters } from '../../commands/list-filters.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery, uuid } from '../../contract/schemas.js';
import { toListedExecution } from './shared/execution.js';
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
    query: z.strictObject({ ...queryFilters(executionFilters), ...pageQuery }),
  },
  responses: { 200: { description: 'Page of evaluations', schema: executionPage } },
  problems: [],
  list: describeList(executionFilters),
}).handle(async ({ params, query, context }) => {
  const { projectID, definitionID } = params;
  if ((await findDefinition(context.store, projectID, definitionID)) === undefined)
    return notFound(`no decision definition ${definitionID} in ${projectID}`);
  const filter = filterOf(executionFilters, query);
  const executions = await listExecutions(context.store, projectID, filter, query, definitionID);
  return { status: 200, body: pageResponse(query, executions, toListedExecution) };
});
