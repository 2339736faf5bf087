import { z } from 'zod';
import { takeBack } from '../../../store/job-queue.js';
import { defineOperation } from '../../operation.js';
import { toExternalJob } from './external-job.js';
import { externalJob, pollRequest } from './schemas.js';

export const pollBpmnExternalJobs = defineOperation({
  operationID: 'PollBpmnExternalJobs',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/poll',
  role: 'executor',
  summary: 'Takes pending jobs of one task type under a lease, waiting for the first one if there are none.',
  request: { body: pollRequest },
  responses: {
    200: { description: "The jobs; they are this client's until `lockExpiresAt`.", schema: z.array(externalJob) },
    204: { description: 'No job came in time.' },
  },
  problems: [],
  deadlineSeconds: 75,
}).handle(async ({ params, body, context, signal }) => {
  const { taskType, clientID, maxJobs, fetchVariables } = body;
  const request = { projectID: params.projectID, taskType, clientID, lockDurationMilliseconds: body.lockDuration, maxJobs, fetchVariables };
  const jobs = await context.notifications.pollJobs(request, body.timeout, signal);
  if (signal.aborted && jobs.length > 0) {
    // Nobody is there to work on them, and their leases would have to end first.
    await takeBack(context.store, request, jobs);
    return { status: 204 };
  }
  for (const { waitedSeconds } of jobs) context.metrics.jobWaitSeconds.observe(waitedSeconds);
  return jobs.length > 0 ? { status: 200, body: jobs.map((job) => ({ ...toExternalJob(job), leaseToken: job.leaseToken })) } : { status: 204 };
});
