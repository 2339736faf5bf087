import { suspendDefinition } from '../../../store/suspension.js';
import { defineOperation } from '../../operation.js';
import { refusalProblem } from '../../refusal.js';
import { uuid } from '../../schemas.js';
import { suspendDefinitionRequest } from './schemas.js';

export const suspendBpmnDefinition = defineOperation({
  operationID: 'SuspendBpmnDefinition',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/suspend',
  role: 'admin',
  summary: 'Pauses every running instance of one version of a process and refuses new ones.',
  description:
    'In force with the answer, however many instances run; instances that they have called pause with them. Messages and ' +
    'signals that would start an instance are kept. Suspending what is suspended changes nothing.',
  request: { params: { definitionID: uuid }, body: suspendDefinitionRequest.default({}) },
  responses: { 204: { description: 'It is suspended.' } },
  problems: [],
}).handle(async ({ params, body, caller, context }) => {
  const outcome = await suspendDefinition(context.store, { ...params, actor: caller.subject, reason: body.reason });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
