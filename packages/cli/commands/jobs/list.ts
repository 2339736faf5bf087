import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { oneOf } from '../../values.js';

const statuses = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

export const listJobs: Command = {
  name: 'jobs list',
  role: 'viewer',
  operands: '',
  summary: 'List jobs, newest first',
  examples: ['perdure jobs list --type charge-card', 'perdure jobs list --status failed'],
  minOperands: 0,
  maxOperands: 0,
  options: {
    type: { type: 'string', value: 'TYPE', help: 'only jobs of this task type' },
    status: {
      type: 'string',
      value: 'STATUS',
      words: statuses,
      help: 'PENDING (default), COMPLETED, FAILED, or CANCELED',
    },
    instance: { type: 'string', value: 'WORKFLOW_ID', help: 'only jobs of this instance' },
    'business-id': { type: 'string', value: 'ID', help: 'only jobs of instances with this business id' },
    ...pageOptions,
  },
  async run(invocation) {
    const { terminal, option } = invocation;
    const query = {
      taskType: option('type'),
      status: oneOf(invocation, 'status', statuses) ?? 'PENDING',
      workflowID: option('instance'),
      businessId: option('business-id'),
      ...pageQuery(invocation),
    };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnExternalJobPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/external-jobs', { params: { path: { projectID }, query } }),
    );
    showPage<Schemas['ExternalJob']>(terminal, answer, 'job', {
      JOB: (job) => job.executionKey,
      TYPE: (job) => job.taskType,
      NODE: (job) => job.nodeID,
      STATUS: (job) => job.status,
      ATTEMPTS: (job) => job.retries,
      'LEASED BY': (job) => job.lockedBy,
      CREATED: (job) => job.createdAt,
    });
    return exitCodes.done;
  },
};
