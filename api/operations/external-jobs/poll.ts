import { z } from 'zod';
import { defineOperation } from '../../contract/operation.js';
import { leaseJobs } from './shared/lease-jobs.js';
import { externalJob, longestPollSeconds, pollRequest } from './shared/schemas.js';

export const pollBpmnExternalJobs = defineOperation({
  operationID: 'PollBpmnExternalJobs',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/poll',
  role: 'executor',
  records: 'none',
  summary: 'Poll for jobs of a task type',
  description:
    'Leases pending jobs to the client. Without pending jobs, the request waits for the first one until `timeout`.',
  request: { body: pollRequest },
  responses: {
    200: { description: 'Leased jobs; the leases last until `lockExpiresAt`', schema: z.array(externalJob) },
    204: { description: 'No job became available in time' },
  },
  problems: [],
  deadlineSeconds: longestPollSeconds + 15,
}).handle(async ({ params, body, context, signal }) => {
  const { taskType, clientID, maxJobs, fetchVariables } = body;
  const request = {
    projectID: params.projectID,
    taskType,
    clientID,
    lockDurationMilliseconds: body.lockDuration,
    maxJobs,
    fetchVariables,
  };
  const jobs = await leaseJobs(context, request, body.timeout, signal);
  return jobs.length > 0 ? { status: 200, body: jobs } : { status: 204 };
});
