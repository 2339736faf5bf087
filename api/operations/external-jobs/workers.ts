import { z } from 'zod';
import { listWorkers } from '../../../store/work/job-queue.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { pageQuery } from '../../contract/schemas.js';
import { time } from '../../contract/wire.js';
import { workersPage } from './shared/schemas.js';

export const listBpmnExternalJobWorkers = defineOperation({
  operationID: 'ListBpmnExternalJobWorkers',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/external-jobs/workers',
  role: 'viewer',
  summary: 'List clients that poll for jobs',
  description: 'Lists the clients that polled within the last minute, by task type.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of clients', schema: workersPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const workers = await listWorkers(context.store, params.projectID, query);
  return {
    status: 200,
    body: pageResponse(query, workers, ({ lastSeenAt, ...worker }) => ({ ...worker, lastSeenAt: time(lastSeenAt) })),
  };
});
