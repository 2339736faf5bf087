import { z } from 'zod';
import { cancelAsImported } from '../../../store/imports/cancel-as-imported.js';
import { cancelInstance } from '../../../store/instances/cancellation.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { commandRequest } from '../../commands/define-command.js';
import { queryBoolean } from '../../contract/schemas.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem } from '../../contract/problem.js';

export const cancelBpmnInstance = defineOperation({
  operationID: 'CancelBpmnInstance',
  method: 'DELETE',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}',
  role: 'editor',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Cancel an instance',
  description:
    'Cancels the descendants of the instance as well. With `onlyAsImported`, an import is taken back: 412 if the instance or one that it calls has done or received anything since.',
  request: {
    query: z.strictObject({
      reason: z.string().max(1000).optional(),
      onlyAsImported: queryBoolean
        .optional()
        .describe('Only if nothing has happened since the instance was imported (default false).'),
    }),
  },
  responses: {
    204: { description: 'Canceled, with all descendants' },
    202: acceptedResponse,
  },
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'PRECONDITION_FAILED'],
  waits: 'outcome',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async (input) => {
  const { params, query, headers, context } = input;
  const cancel = query.onlyAsImported ? cancelAsImported : cancelInstance;
  const submitted = await cancel(context.store, {
    ...commandRequest(input),
    workflowID: params.workflowID,
    reason: query.reason,
  });
  const answer = await submitAndAwait(context, submitted, headers.waitMilliseconds);
  return !isProblem(answer) && answer.status === 200 ? { status: 204 } : answer;
});
