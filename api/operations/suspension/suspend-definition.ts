import { suspendDefinition } from '../../../store/suspension/suspension.js';
import { defineOperation } from '../../contract/operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { uuid } from '../../contract/schemas.js';
import { suspendDefinitionRequest } from './shared/schemas.js';

export const suspendBpmnDefinition = defineOperation({
  operationID: 'SuspendBpmnDefinition',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/suspend',
  role: 'admin',
  records: 'itself',
  summary: 'Suspend a definition and its instances',
  description:
    'Refuses new instances and pauses every running instance with its descendants. In effect when the response arrives, however many instances run. Messages and ' +
    'signals that would start an instance are buffered. Suspending a suspended definition changes nothing.',
  request: { params: { definitionID: uuid }, body: suspendDefinitionRequest.default({}) },
  responses: { 204: { description: 'Suspended' } },
  problems: [],
}).handle(async ({ params, body, caller, audit, context }) => {
  const outcome = await suspendDefinition(context.store, {
    ...params,
    actor: caller.subject,
    audit,
    reason: body.reason,
  });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
