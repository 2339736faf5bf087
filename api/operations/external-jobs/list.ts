import { jobFilters, jobSorts, listJobs, streamJobs } from '../../../store/work/job-lists.js';
import { isTest } from '../../contract/schemas.js';
import { defineList } from '../../commands/define-list.js';
import { filterOf, queryFilters } from '../../commands/list-filters.js';
import { toExternalJob } from './shared/external-job.js';
import { externalJob, externalJobPage } from './shared/schemas.js';

export const listBpmnExternalJobs = defineList({
  operationID: 'ListBpmnExternalJobs',
  path: '/projects/{projectID}/bpmn/external-jobs',
  role: 'viewer',
  summary: 'List jobs',
  description:
    'Newest first. `lockedBy` is the client that leased the job last. Rows without a value to sort by come last in both orders.',
  filters: { ...queryFilters(jobFilters), isTest },
  sorts: jobSorts,
  item: externalJob,
  page: externalJobPage,
}).rows({
  page: ({ params, query, context }, page) =>
    listJobs(context.store, params.projectID, filterOf(jobFilters, query), page),
  all: ({ params, query, context }, order) =>
    streamJobs(context.store, params.projectID, filterOf(jobFilters, query), order),
  toItem: toExternalJob,
});
