import { deliverResult } from '../../../hot-instances/deliver-result.js';
import { acceptedResponse, answerOf, commandDeadlineSeconds } from '../../commands/commands.js';
import { commandRequest } from '../../commands/define-command.js';
import { variableNames } from '../../contract/audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { isProblem, notFound } from '../../contract/problem.js';
import { jobOfInstance } from './shared/external-job.js';
import { withNextJobs } from './shared/lease-jobs.js';
import { measureEnd } from './shared/measure-end.js';
import { completeRequest, jobEnd, maxPollSeconds } from './shared/schemas.js';

export const completeBpmnExternalJob = defineOperation({
  operationID: 'CompleteBpmnExternalJob',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete',
  role: 'executor',
  records: { entry: 'within', says: variableNames },
  summary: 'Complete a job',
  description:
    'With `clientID`, only the holder of the lease can complete the job; repeating the same completion returns the first response. ' +
    'With `leaseToken` as well, the lease must be the one of that poll, which distinguishes workers that share a client id. ' +
    'Without `clientID`, the first request completes the job, as an operator would. While the instance is suspended, only the holder of the lease ' +
    'can complete the job, and the result is applied when the instance is resumed (202). ' +
    'With `poll`, the response also carries `jobs`: the next jobs, leased to `clientID` as by a poll once the completion is accepted (200 or 202). ' +
    'The list can be empty, because such a poll waits only until its `timeout` (default 0). A refused completion leases nothing. ' +
    '`result` is the decision of the worker of an ad-hoc sub-process: which elements to activate, or that it is done. For the job of a task listener it says whether the request is denied, or corrects the task. A decision that does not apply is refused with 400, and the job stays open.',
  request: { body: completeRequest },
  responses: { 200: { description: 'Result applied', schema: jobEnd }, 202: { ...acceptedResponse, schema: jobEnd } },
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'LEASE_LOST', 'SUSPENDED'],
  waits: 'outcome',
  polls: ({ poll }) => poll?.timeout ?? 0,
  deadlineSeconds: commandDeadlineSeconds + maxPollSeconds,
}).handle(async (input) => {
  const { params, body, headers, context } = input;
  const job = jobOfInstance(params.executionKey, body.workflowID);
  if (job === undefined) return notFound('the execution key names no job of the instance');
  const { reason, clientID, leaseToken, variables, result } = body;
  const completion = { ...job, ...commandRequest(input), reason, clientID, leaseToken, variables, result };
  const delivered = await deliverResult(context, completion, headers.waitMilliseconds);
  if (delivered.kind === 'refused') return refusalProblem(delivered);
  measureEnd(context, delivered, 'completed');
  const answer = answerOf(delivered.commandID, await delivered.outcome);
  return isProblem(answer) ? answer : withNextJobs(answer, input);
});
