import { suspendInstance } from '../../../store/suspension/suspension.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { refusalProblem } from '../../commands/refusal.js';
import { suspendInstanceRequest } from './shared/schemas.js';

export const suspendBpmnInstance = defineOperation({
  operationID: 'SuspendBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/suspend',
  role: 'admin',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Suspend an instance and its descendants',
  description:
    'Until it is resumed, the instance makes no progress and none of its jobs are leased; events that arrive in the meantime are queued in order. ' +
    'Suspending a suspended instance changes nothing: the first actor, time, and reason remain.',
  request: { body: suspendInstanceRequest.default({}) },
  responses: { 204: { description: 'Suspended' } },
  problems: ['INSTANCE_ENDED'],
}).handle(async ({ params, body, caller, audit, context }) => {
  const outcome = await suspendInstance(context.store, {
    ...params,
    actor: caller.subject,
    audit,
    reason: body.reason,
  });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
