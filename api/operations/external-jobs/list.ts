import { jobFilters, jobSorts, listJobs, slowJobOrders, streamJobs } from '../../../store/work/job-lists.js';
import { defineList } from '../../commands/define-list.js';
import { jobForReader } from './shared/external-job.js';
import { externalJob, externalJobPage } from './shared/schemas.js';

export const listBpmnExternalJobs = defineList({
  operationID: 'ListBpmnExternalJobs',
  path: '/projects/{projectID}/bpmn/external-jobs',
  role: 'viewer',
  summary: 'List jobs',
  description:
    'Newest first. `lockedBy` is the client that leased the job last. Rows without a value to sort by come last in both orders.',
  filters: jobFilters,
  hasTests: true,
  sorts: jobSorts,
  slow: slowJobOrders,
  item: externalJob,
  page: externalJobPage,
}).rows({
  page: ({ params, context }, page, filter) => listJobs(context.store, params.projectID, filter, page),
  all: ({ params, context }, order, filter) => streamJobs(context.store, params.projectID, filter, order),
  toItem: (job, { params, caller }) => jobForReader(job, caller, params.projectID),
});
