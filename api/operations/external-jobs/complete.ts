import { completeJob } from '../../../store/job-ends.js';
import { acceptedResponse, carryOut, commandDeadlineSeconds } from '../../commands.js';
import { defineOperation } from '../../operation.js';
import { isProblem, notFound } from '../../problem.js';
import { refusalProblem } from '../../refusal.js';
import { asVariables, tooManyVariables } from '../../variables.js';
import { jobOfInstance } from './external-job.js';
import { withNextJobs } from './lease-jobs.js';
import { measureEnd } from './measure-end.js';
import { completeRequest, jobEnd, longestPollSeconds } from './schemas.js';

export const completeBpmnExternalJob = defineOperation({
  operationID: 'CompleteBpmnExternalJob',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete',
  role: 'executor',
  summary: 'Completes a job with its result.',
  description:
    'With `clientID` only the holder of the lease completes it; repeating the same completion gives the first answer. ' +
    'With `leaseToken` as well, the lease must be the one of that poll: it tells apart workers that share a client id. ' +
    'Without, whoever comes first does, as an operator would. While the instance is suspended only the holder of the lease may, ' +
    'and the result is taken when the instance is resumed (202). ' +
    'With `poll` the answer also carries `jobs`: the next ones, leased to `clientID` as by a poll once the completion is accepted (200 or 202). ' +
    'They may be none, because such a poll waits only as long as its `timeout` says, by default not at all. A refused completion leases nothing.',
  request: { body: completeRequest },
  responses: { 200: { description: 'The instance has taken the result.', schema: jobEnd }, 202: { ...acceptedResponse, schema: jobEnd } },
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'LEASE_LOST', 'SUSPENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds + longestPollSeconds,
}).handle(async (input) => {
  const { params, body, caller, headers, traceContext, context } = input;
  const tooLarge = tooManyVariables(body.variables);
  if (tooLarge !== undefined) return tooLarge;
  const job = jobOfInstance(params.executionKey, body.workflowID);
  if (job === undefined) return notFound('the execution key names no job of the instance');
  const submitted = await completeJob(context.store, {
    ...job,
    projectID: params.projectID,
    clientID: body.clientID,
    leaseToken: body.leaseToken,
    variables: asVariables(body.variables),
    actor: caller.subject,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  if (submitted.kind === 'refused') return refusalProblem(submitted);
  measureEnd(context, submitted, 'completed');
  const answer = await carryOut(context, job.workflowID, submitted, headers.waitMilliseconds);
  return isProblem(answer) ? answer : withNextJobs(answer, input);
});
