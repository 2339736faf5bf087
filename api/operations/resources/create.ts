import { compileResource } from '@perdure/bpmn';
import { declaredAsUtf8 } from '@perdure/lib/model-files/declaration.js';
import { createResource } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { problemOfOpening } from '../projects/shared/project.js';
import { unreadable } from './shared/model.js';
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
    'Stores the file as a draft, as UTF-8: another encoding in its XML declaration is replaced. Problems that would prevent its deployment are returned as warnings. CONFLICT: a project with this id is being deleted.',
  request: { body: createResourceRequest },
  responses: { 201: { description: 'Draft', schema: resourceDetail, hasTag: true } },
  problems: ['INVALID_MODEL', 'CONFLICT'],
}).handle(async ({ params, body, caller, context, turns }) => {
  const compiled = await compileResource(body.xml, turns);
  const refused = unreadable(compiled);
  if (refused !== undefined) return refused;
  const unopened = await problemOfOpening(context, caller, params.projectID);
  if (unopened !== undefined) return unopened;
  const content = { name: body.name, xml: declaredAsUtf8(body.xml), definitionsID: compiled.definitionsID };
  const draft = await createResource(context.store, params.projectID, content, caller.subject);
  return {
    status: 201,
    body: toDraft(draft, compiled),
    headers: tagOf(draft),
    audit: { resourceID: draft.resourceID },
  };
});
