import { z } from 'zod';
import { batchOperations, batchStatuses, listBatches } from '../../../store/batches/batches.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { givenTimestamp, pageQuery, queryWords, wordsOf } from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { toBatch } from './shared/batch.js';
import { batchPage } from './shared/schemas.js';

export const listBpmnBatches = defineOperation({
  operationID: 'ListBpmnBatches',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/batches',
  role: 'viewer',
  summary: 'List batches',
  description: 'Newest first.',
  request: {
    query: z.strictObject({
      operation: queryWords(batchOperations).optional(),
      status: queryWords(batchStatuses).optional(),
      createdBy: z.string().min(1).max(255).optional(),
      createdAfter: givenTimestamp.optional(),
      createdBefore: givenTimestamp.optional(),
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of batches', schema: batchPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const filter = {
    operations: wordsOf<(typeof batchOperations)[number]>(query.operation),
    statuses: wordsOf<(typeof batchStatuses)[number]>(query.status),
    createdBy: query.createdBy,
    createdAfter: dateOf(query.createdAfter),
    createdBefore: dateOf(query.createdBefore),
  };
  const batches = await listBatches(context.store, params.projectID, filter, query);
  return { status: 200, body: pageResponse(query, batches, toBatch) };
});
