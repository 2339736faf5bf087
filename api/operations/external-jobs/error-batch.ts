import { throwJobError } from '../../../store/work/job-ends.js';
import { commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { commonMembers, endBatch } from './shared/batch.js';
import { batchErrorRequest, batchResponse } from './shared/schemas.js';

export const throwBpmnExternalJobErrorsBatch = defineOperation({
  operationID: 'ThrowBpmnExternalJobErrorsBatch',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/batch/error',
  role: 'executor',
  records: { entry: 'within', says: ({ body: { retryable } }) => ({ details: { retryable } }) },
  summary: 'Report the failure of up to 100 jobs',
  description: 'Each failure is reported as if it were reported alone.',
  request: { body: batchErrorRequest },
  responses: { 200: { description: 'One result per item, in order', schema: batchResponse } },
  problems: [],
  waits: 'outcome',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, audit, context }) => {
  const common = { projectID: params.projectID, clientID: body.clientID, actor: caller.subject, traceContext, audit };
  const batch = {
    done: 'failed' as const,
    end: (item: (typeof body.items)[number], job: { workflowID: string; number: number }) =>
      throwJobError(context.store, {
        ...job,
        ...commonMembers(item, common),
        errorCode: item.errorCode,
        retryable: body.retryable,
      }),
  };
  return { status: 200, body: { results: await endBatch(context, body.items, batch, headers.waitMilliseconds) } };
});
