import { z } from 'zod';
import { listJobs } from '../../../store/work/jobs.js';
import { defineOperation } from '../../contract/operation.js';
import { pageResponse } from '../../commands/page.js';
import { businessId, givenTimestamp, givenWorkflowID, pageQuery } from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { toExternalJob } from './shared/external-job.js';
import { externalJobPage, jobStatus, workerText } from './shared/schemas.js';

export const listBpmnExternalJobs = defineOperation({
  operationID: 'ListBpmnExternalJobs',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/external-jobs',
  role: 'viewer',
  summary: 'List jobs',
  description: 'Newest first.',
  request: {
    query: z.strictObject({
      taskType: workerText.optional(),
      status: jobStatus.optional(),
      workflowID: givenWorkflowID.optional(),
      businessId: businessId.optional(),
      createdAfter: givenTimestamp.optional(),
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of jobs', schema: externalJobPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { taskType, status, workflowID } = query;
  const filter = {
    taskType,
    status,
    workflowID,
    businessID: query.businessId,
    createdAfter: dateOf(query.createdAfter),
  };
  const jobs = await listJobs(context.store, params.projectID, filter, query);
  return { status: 200, body: pageResponse(query, jobs, toExternalJob) };
});
