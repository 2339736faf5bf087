import { deleteHook as removeHook } from '../../../store/hooks/hooks.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { notFound } from '../../contract/problem.js';
import { hookDetails } from './shared/hook-details.js';
import { reasonQuery, uuid } from '../../contract/schemas.js';

export const deleteHook = defineOperation({
  operationID: 'DeleteHook',
  method: 'DELETE',
  path: '/projects/{projectID}/hooks/{hookID}',
  role: 'editor',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Delete a hook',
  description: 'Its deliveries can no longer be listed. Messages that it has published stay.',
  request: { params: { hookID: uuid }, query: reasonQuery },
  responses: { 204: { description: 'Hook deleted' } },
  problems: [],
}).handle(async ({ params: { projectID, hookID }, context }) => {
  const deleted = await removeHook(context.store, projectID, hookID);
  if (deleted === undefined) return notFound(`no hook ${hookID} in project ${projectID}`);
  return { status: 204, audit: { details: hookDetails(deleted) } };
});
