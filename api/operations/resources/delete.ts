import { deleteResource } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { refusalProblem } from '../../commands/refusal.js';
import { reasonQuery, uuid } from '../../contract/schemas.js';

export const deleteBpmnResource = defineOperation({
  operationID: 'DeleteBpmnResource',
  method: 'DELETE',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}',
  role: 'editor',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Delete a resource and its definitions',
  description: 'Refused while instances of it exist, including ended ones.',
  request: { params: { resourceID: uuid }, query: reasonQuery },
  responses: { 204: { description: 'Resource deleted' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, context }) => {
  const outcome = await deleteResource(context.store, params.projectID, params.resourceID);
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
