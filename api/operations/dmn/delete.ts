import { deleteDefinition } from '../../../store/decisions/change-definitions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { notFound, problem } from '../../contract/problem.js';
import { reasonQuery, uuid } from '../../contract/schemas.js';

export const deleteDmnDefinition = defineOperation({
  operationID: 'DeleteDefinition',
  method: 'DELETE',
  path: '/projects/{projectID}/dmn/definitions/{definitionID}',
  role: 'editor',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Delete a DMN definition version',
  description: 'Only a version that was never used can be deleted.',
  request: { params: { definitionID: uuid }, query: reasonQuery },
  responses: { 204: { description: 'Version deleted' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, context }) => {
  const outcome = await deleteDefinition(context.store, params.projectID, params.definitionID);
  if (outcome.kind === 'deleted') return { status: 204 };
  return outcome.code === 'NOT_FOUND' ? notFound(outcome.message) : problem('CONFLICT', outcome.message);
});
