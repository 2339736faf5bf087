import { suspendDefinition } from '../../../store/suspension/definitions.js';
import { suspendDefinitionAt } from '../../../store/suspension/scheduled.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { uuid } from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { suspendDefinitionRequest } from './shared/schemas.js';

export const suspendBpmnDefinition = defineOperation({
  operationID: 'SuspendBpmnDefinition',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/suspend',
  role: 'admin',
  records: { entry: 'within', says: ({ body: { instances, at } }) => ({ details: { instances, at } }) },
  summary: 'Suspend a definition',
  description:
    'Refuses new instances and pauses every running instance with its descendants. In effect when the response arrives, however many instances run. Messages and ' +
    'signals that would start an instance are buffered. Suspending a suspended definition changes nothing. With `instances: false`, only starts are refused: running ' +
    'instances continue, and their call activities still start instances of the definition. With `at`, a worker suspends the definition then, in the name of the ' +
    'caller; another `at` replaces the first, and a resume withdraws it.',
  request: { params: { definitionID: uuid }, body: suspendDefinitionRequest.default({ instances: true }) },
  responses: { 204: { description: 'Suspended or scheduled' } },
  problems: [],
}).handle(async ({ params, body, caller, audit, context }) => {
  const { instances, reason } = body;
  const at = dateOf(body.at);
  const request = { ...params, instances, reason, actor: caller.subject, audit };
  const outcome = at
    ? await suspendDefinitionAt(context.store, request, at)
    : await suspendDefinition(context.store, request);
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
