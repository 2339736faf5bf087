import { createResource } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem } from '../../contract/problem.js';
import { problemOfOpening } from '../projects/shared/project.js';
import { readDraft } from './shared/draft.js';
import { tagOf, toDraft } from './shared/resource.js';
import { createResourceRequest, resourceDetail } from './shared/schemas.js';

export const createBpmnResource = defineOperation({
  operationID: 'CreateBpmnResource',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/resources',
  role: 'editor',
  opensProject: true,
  records: { entry: 'around', says: ({ body }) => ({ details: { name: body.name } }) },
  summary: 'Create a BPMN resource',
  description:
    'Stores a BPMN file, a DMN file, or a form as a draft, as UTF-8: another encoding in its XML declaration is replaced. Problems that would prevent its deployment are returned as warnings. Decisions and forms are deployed in a bundle. CONFLICT: a project with this id is being deleted.',
  request: { body: createResourceRequest },
  responses: { 201: { description: 'Draft', schema: resourceDetail, hasTag: true } },
  problems: ['INVALID_MODEL', 'CONFLICT'],
}).handle(async ({ params, body, caller, context, turns }) => {
  const read = await readDraft(context.store, params.projectID, body, turns);
  if (isProblem(read)) return read;
  const unopened = await problemOfOpening(context, caller, params.projectID);
  if (unopened !== undefined) return unopened;
  const draft = await createResource(context.store, params.projectID, read.content, caller.subject);
  return {
    status: 201,
    body: toDraft(draft, read.problems),
    headers: tagOf(draft),
    audit: { resourceID: draft.resourceID },
  };
});
