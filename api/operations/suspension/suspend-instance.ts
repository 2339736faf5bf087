import { suspendInstance } from '../../../store/suspension.js';
import { defineOperation } from '../../operation.js';
import { refusalProblem } from '../../refusal.js';
import { suspendInstanceRequest } from './schemas.js';

export const suspendBpmnInstance = defineOperation({
  operationID: 'SuspendBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/suspend',
  role: 'admin',
  summary: 'Pauses an instance and every instance below it.',
  description:
    'Nothing moves in it and none of its jobs is handed out until it is resumed; what comes meanwhile is kept in order. ' +
    'Suspending what is suspended changes nothing: the first who, when and why stay.',
  request: { body: suspendInstanceRequest.default({}) },
  responses: { 204: { description: 'It is suspended.' } },
  problems: ['INSTANCE_ENDED'],
}).handle(async ({ params, body, caller, context }) => {
  const outcome = await suspendInstance(context.store, { ...params, actor: caller.subject, reason: body.reason });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
