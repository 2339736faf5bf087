import { z } from 'zod';
import { queueDepth } from '../../../store/work/job-queue.js';
import { defineOperation } from '../../commands/define-operation.js';
import { givenTimestamp, isTest } from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { queueDepthResponse } from './shared/schemas.js';

export const getBpmnExternalJobsQueueDepth = defineOperation({
  operationID: 'GetBpmnExternalJobsQueueDepth',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/external-jobs/queue-depth',
  role: 'viewer',
  summary: 'Count pending jobs per task type',
  description: 'Leased jobs are included.',
  request: { query: z.strictObject({ createdAfter: givenTimestamp.optional(), isTest }) },
  responses: { 200: { description: 'Task types with pending jobs, by name', schema: queueDepthResponse } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  return {
    status: 200,
    body: { items: await queueDepth(context.store, params.projectID, dateOf(query.createdAfter)) },
  };
});
