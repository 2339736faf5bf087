import { z } from 'zod';
import { defineOperation } from '../../commands/define-operation.js';
import { leaseJobs, pollOf } from './shared/lease-jobs.js';
import { externalJob, maxPollSeconds, pollRequest } from './shared/schemas.js';

export const pollBpmnExternalJobs = defineOperation({
  operationID: 'PollBpmnExternalJobs',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/poll',
  role: 'executor',
  summary: 'Poll for jobs of one or several task types',
  description:
    'Leases pending jobs to the client. Of the jobs of all types, those of a higher `priority` come first, then those that have been available longest. ' +
    'Of ten jobs that a host leases of a type, at least one is the longest available, so that jobs of a low priority are not starved. ' +
    'Without pending jobs, the request waits for the first one until `timeout`. ' +
    'If the caller already has too many waiting requests, it is answered at once, with `Retry-After`.',
  request: { body: pollRequest },
  responses: {
    200: { description: 'Leased jobs; the leases last until `lockExpiresAt`', schema: z.array(externalJob) },
    204: { description: 'No job became available in time' },
  },
  problems: [],
  polls: ({ timeout }) => timeout,
  deadlineSeconds: maxPollSeconds + 15,
}).handle(async ({ params, body, context, signal, pollMilliseconds }) => {
  const jobs = await leaseJobs(context, pollOf(params.projectID, body.clientID, body), pollMilliseconds, signal);
  return jobs.length > 0 ? { status: 200, body: jobs } : { status: 204 };
});
