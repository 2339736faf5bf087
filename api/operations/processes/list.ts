import { z } from 'zod';
import { listProcesses } from '../../../store/definitions/definitions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { givenTimestamp, pageQuery, queryBoolean } from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { processSummaryPage } from './shared/schemas.js';

export const listBpmnProcesses = defineOperation({
  operationID: 'ListBpmnProcesses',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/processes',
  role: 'viewer',
  summary: 'List processes',
  description: 'Deployed processes with all their versions, by id.',
  request: {
    query: z.strictObject({
      /** Part of the id or the name, case-insensitive. */
      q: z.string().max(255).optional(),
      createdAfter: givenTimestamp.optional(),
      suspended: queryBoolean.optional(),
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of processes', schema: processSummaryPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const filter = { text: query.q, createdAfter: dateOf(query.createdAfter), suspended: query.suspended };
  const processes = await listProcesses(context.store, params.projectID, filter, query);
  const body = pageResponse(query, processes, (process) => ({
    ...process,
    processName: process.processName ?? process.processID,
    hasSuspendedDefinition: process.suspendedVersionCount > 0,
  }));
  return { status: 200, body };
});
