import { updateResource, type Resource } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { isProblem, problem, type Problem } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { readDraft } from './shared/draft.js';
import { revisionsOf, tagOf, toDraft } from './shared/resource.js';
import { createResourceRequest, resourceDetail } from './shared/schemas.js';

export const updateBpmnResource = defineOperation({
  operationID: 'UpdateBpmnResource',
  method: 'PUT',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}',
  role: 'editor',
  records: { entry: 'around', says: ({ body }) => ({ details: { name: body.name } }) },
  summary: 'Update a draft',
  description:
    'Replaces the file. With `If-Match`, it is PRECONDITION_FAILED if the draft has changed since it was read; `details.etag` has the current tag. A deployed resource cannot change: create a new resource instead.',
  request: { params: { resourceID: uuid }, body: createResourceRequest },
  responses: { 200: { description: 'Draft', schema: resourceDetail, hasTag: true } },
  problems: ['INVALID_MODEL', 'CONFLICT', 'PRECONDITION_FAILED'],
  accepts: ['If-Match'],
}).handle(async ({ params, body, headers, context, turns }) => {
  const read = await readDraft(context.store, params.projectID, body, turns);
  if (isProblem(read)) return read;
  const updated = await updateResource(context.store, params, read.content, revisionsOf(headers.ifMatch));
  if (!('kind' in updated)) return { status: 200, body: toDraft(updated, read.problems), headers: tagOf(updated) };
  return updated.kind === 'changed' ? changedByAnother(updated.resource) : refusalProblem(updated);
});

function changedByAnother(current: Resource): Problem<'PRECONDITION_FAILED'> {
  const headers = tagOf(current);
  return problem(
    'PRECONDITION_FAILED',
    `Draft ${current.resourceID} was changed since it was read: its current tag is ${headers.ETag}. Read it again, and compare.`,
    { details: { etag: headers.ETag }, headers },
  );
}
