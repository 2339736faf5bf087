import { completeJob } from '../../../store/work/job-ends.js';
import { commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { commonMembers, endBatch } from './shared/batch.js';
import { batchCompleteRequest, batchResponse } from './shared/schemas.js';

export const completeBpmnExternalJobsBatch = defineOperation({
  operationID: 'CompleteBpmnExternalJobsBatch',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/batch/complete',
  role: 'executor',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Complete up to 100 jobs',
  description: 'Each job is completed as if it were completed alone.',
  request: { body: batchCompleteRequest },
  responses: { 200: { description: 'One result per item, in order', schema: batchResponse } },
  problems: [],
  waits: 'outcome',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, audit, context }) => {
  const common = { projectID: params.projectID, clientID: body.clientID, actor: caller.subject, traceContext, audit };
  const batch = {
    done: 'completed' as const,
    end: (item: (typeof body.items)[number], job: { workflowID: string; number: number }) =>
      completeJob(context.store, { ...job, ...commonMembers(item, common), result: item.result }),
  };
  return { status: 200, body: { results: await endBatch(context, body.items, batch, headers.waitMilliseconds) } };
});
