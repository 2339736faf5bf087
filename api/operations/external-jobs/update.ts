import { parseExecutionKey } from '../../../store/sql/ids.js';
import { changeJob } from '../../../store/work/job-changes.js';
import { refusalProblem } from '../../commands/refusal.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { dateOf } from '../../contract/wire.js';
import { toExternalJob } from './shared/external-job.js';
import { externalJob, updateJobRequest } from './shared/schemas.js';

export const updateBpmnExternalJob = defineOperation({
  operationID: 'UpdateBpmnExternalJob',
  method: 'PATCH',
  path: '/projects/{projectID}/bpmn/external-jobs/{executionKey}',
  role: 'editor',
  records: {
    entry: 'around',
    says: ({ body: { retries, priority, availableAt } }) => ({ details: { retries, priority, availableAt } }),
  },
  summary: 'Change a pending job',
  description:
    'Replaces the attempts left, the priority, and the time from when on the job can be leased, also while the instance is suspended. ' +
    'A job that has ended or is ending is refused (409), and so is `availableAt` of a leased job, because a lease is never cut short.',
  request: { body: updateJobRequest },
  responses: { 200: { description: 'Changed job', schema: externalJob } },
  problems: ['CONFLICT'],
}).handle(async ({ params, body, context }) => {
  const job = parseExecutionKey(params.executionKey);
  if (job === undefined) return notFound('the execution key names no job');
  const { retries, priority } = body;
  const changed = await changeJob(context.store, {
    ...job,
    projectID: params.projectID,
    retries,
    priority,
    availableAt: dateOf(body.availableAt),
  });
  return changed.kind === 'refused' ? refusalProblem(changed) : { status: 200, body: toExternalJob(changed.job) };
});
