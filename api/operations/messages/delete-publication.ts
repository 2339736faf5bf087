import { z } from 'zod';
import { deletePublication } from '../../../store/publications/delete-publication.js';
import { refusalProblem } from '../../commands/refusal.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { reason, uuid } from '../../contract/schemas.js';

export const deleteBpmnPublication = defineOperation({
  operationID: 'DeleteBpmnPublication',
  method: 'DELETE',
  path: '/projects/{projectID}/bpmn/publications/{publicationID}',
  role: 'editor',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Delete a kept message or signal',
  description:
    'No instance receives it afterwards. Instances that a signal was given to before still handle it. Refused if the publication is claimed, taken, or expired. Repeating the request changes nothing.',
  request: { params: { publicationID: uuid }, query: z.strictObject({ reason }) },
  responses: { 204: { description: 'Publication deleted' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, context }) => {
  const outcome = await deletePublication(context.store, params.projectID, params.publicationID);
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
