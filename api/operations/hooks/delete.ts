import { deleteHook as removeHook } from '../../../store/hooks/hooks.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { reasonQuery, uuid } from '../../contract/schemas.js';

export const deleteHook = defineOperation({
  operationID: 'DeleteHook',
  method: 'DELETE',
  path: '/projects/{projectID}/hooks/{hookID}',
  role: 'editor',
  records: 'around',
  summary: 'Delete a hook',
  description: 'Its deliveries can no longer be listed. Messages that it has published stay.',
  request: { params: { hookID: uuid }, query: reasonQuery },
  responses: { 204: { description: 'Hook deleted' } },
  problems: [],
}).handle(async ({ params: { projectID, hookID }, context }) => {
  const isDeleted = await removeHook(context.store, projectID, hookID);
  return isDeleted ? { status: 204 } : notFound(`no hook ${hookID} in project ${projectID}`);
});
