import { z } from 'zod';
import { queueDepth } from '../../../store/job-queue.js';
import { defineOperation } from '../../operation.js';
import { givenTimestamp } from '../../schemas.js';
import { dateOf } from '../../wire.js';
import { queueDepthResponse } from './schemas.js';

export const getBpmnExternalJobsQueueDepth = defineOperation({
  operationID: 'GetBpmnExternalJobsQueueDepth',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/external-jobs/queue-depth',
  role: 'viewer',
  summary: 'How many jobs of each task type are pending, leased ones included.',
  request: { query: z.strictObject({ createdAfter: givenTimestamp.optional() }) },
  responses: { 200: { description: 'The task types that have pending jobs, by name.', schema: queueDepthResponse } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  return { status: 200, body: { items: await queueDepth(context.store, params.projectID, dateOf(query.createdAfter)) } };
});
