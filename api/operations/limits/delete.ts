import { deleteLimit } from '../../../store/work/limits/limits.js';
import { findLimit } from '../../../store/work/limits/list-limits.js';
import { defineOperation } from '../../commands/define-operation.js';
import { changesBetween } from '../../../store/audit/details.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { reasonQuery } from '../../contract/schemas.js';
import { limitDetails } from './shared/limit.js';
import { taskType } from './shared/schemas.js';

export const deleteJobLimit = defineOperation({
  operationID: 'DeleteLimit',
  method: 'DELETE',
  path: '/projects/{projectID}/limits/{taskType}',
  role: 'admin',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Remove the limit of a task type',
  description: 'The next lease has no limit. Also accepted if the type has none.',
  request: { params: { taskType }, query: reasonQuery },
  responses: { 204: { description: 'No limit' } },
  problems: [],
}).handle(async ({ params, context }) => {
  const { projectID } = params;
  const before = await findLimit(context.store, projectID, params.taskType);
  await deleteLimit(context.store, projectID, params.taskType);
  const details = { taskType: params.taskType, ...changesBetween(limitDetails(before), limitDetails(undefined)) };
  return { status: 204, audit: { details } };
});
