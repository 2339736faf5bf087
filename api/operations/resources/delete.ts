import { deleteResource } from '../../../store/resources.js';
import { defineOperation } from '../../operation.js';
import { refusalProblem } from '../../refusal.js';
import { uuid } from '../../schemas.js';

export const deleteBpmnResource = defineOperation({
  operationID: 'DeleteBpmnResource',
  method: 'DELETE',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}',
  role: 'editor',
  summary: 'Delete a resource and its definitions',
  description: 'Refused while instances of it exist, including ended ones.',
  request: { params: { resourceID: uuid } },
  responses: { 204: { description: 'Resource deleted' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, context }) => {
  const outcome = await deleteResource(context.store, params.projectID, params.resourceID);
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
