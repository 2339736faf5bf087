import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';

const jobs = lists.ListBpmnExternalJobs;
const defaults = { status: 'PENDING' };

export const listJobs: Command = {
  name: 'jobs list',
  role: 'viewer',
  operands: '',
  summary: 'List jobs, newest first',
  examples: ['perdure jobs list --type charge-card', 'perdure jobs list --status failed'],
  minOperands: 0,
  maxOperands: 0,
  options: {
    ...filterOptions(jobs, defaults),
    ...pageOptions,
  },
  async run(invocation) {
    const query = { ...filterQuery(jobs, invocation, defaults), ...pageQuery(invocation) };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnExternalJobPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/external-jobs', { params: { path: { projectID }, query } }),
    );
    showPage<Schemas['ExternalJob']>(invocation.terminal, answer, 'job', {
      JOB: (job) => job.executionKey,
      TYPE: (job) => job.taskType,
      NODE: (job) => job.nodeID,
      STATUS: (job) => job.status,
      ATTEMPTS: (job) => job.retries,
      'LEASED BY': (job) => job.lockedBy,
      'HELD BY': (job) => job.heldBy,
      CREATED: (job) => job.createdAt,
    });
    return exitCodes.done;
  },
};
