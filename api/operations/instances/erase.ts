import { eraseInstance } from '../../../store/retention/erase.js';
import { refusalProblem } from '../../commands/refusal.js';
import { reasonQuery } from '../../contract/schemas.js';
import { defineOperation } from '../../commands/define-operation.js';

export const eraseBpmnInstance = defineOperation({
  operationID: 'EraseBpmnInstance',
  method: 'DELETE',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/history',
  role: 'admin',
  records: 'around',
  summary: 'Erase an ended instance and its descendants',
  description:
    'After the response, every read of the instance returns 404, and no list has it. Its rows and its Temporal workflows are deleted within minutes. Refused for a child instance, and while the instance or a descendant is running.',
  request: { query: reasonQuery },
  responses: { 204: { description: 'Erased' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, context }) => {
  const outcome = await eraseInstance(context.store, params);
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
