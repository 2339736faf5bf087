import { z } from 'zod';
import { findInstance } from '../../../store/instances/instances.js';
import { listJobs } from '../../../store/work/job-lists.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery } from '../../contract/schemas.js';
import { jobForReader } from './shared/external-job.js';
import { externalJobPage, jobStatus } from './shared/schemas.js';

export const listBpmnInstanceExternalJobs = defineOperation({
  operationID: 'ListBpmnInstanceExternalJobs',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/external-jobs',
  role: 'viewer',
  summary: 'List the jobs of an instance',
  description: 'Newest first.',
  request: { query: z.strictObject({ status: jobStatus.optional(), ...pageQuery }) },
  responses: { 200: { description: 'Page of jobs', schema: externalJobPage } },
  problems: [],
}).handle(async ({ params, query, caller, context }) => {
  const { projectID, workflowID } = params;
  if ((await findInstance(context.store, projectID, workflowID)) === undefined)
    return notFound(`no instance ${workflowID}`);
  const jobs = await listJobs(context.store, projectID, { workflowID, status: query.status && [query.status] }, query);
  return { status: 200, body: pageResponse(query, jobs, (job) => jobForReader(job, caller, projectID)) };
});
