import { compileResource } from '@perdure/bpmn';
import { declaredAsUtf8 } from '@perdure/lib/model-files/declaration.js';
import { updateResource } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { uuid } from '../../contract/schemas.js';
import { unreadable } from './shared/model.js';
import { toDraft } from './shared/resource.js';
import { createResourceRequest, resourceDetail } from './shared/schemas.js';

export const updateBpmnResource = defineOperation({
  operationID: 'UpdateBpmnResource',
  method: 'PUT',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}',
  role: 'editor',
  records: { entry: 'around', says: ({ body }) => ({ details: { name: body.name } }) },
  summary: 'Update a draft',
  description: 'Replaces the file. A deployed resource cannot change: create a new resource instead.',
  request: { params: { resourceID: uuid }, body: createResourceRequest },
  responses: { 200: { description: 'Draft', schema: resourceDetail } },
  problems: ['INVALID_MODEL', 'CONFLICT'],
}).handle(async ({ params, body, context, turns }) => {
  const compiled = await compileResource(body.xml, turns);
  const refused = unreadable(compiled);
  if (refused !== undefined) return refused;
  const content = { name: body.name, xml: declaredAsUtf8(body.xml), definitionsID: compiled.definitionsID };
  const updated = await updateResource(context.store, params.projectID, params.resourceID, content);
  return 'kind' in updated ? refusalProblem(updated) : { status: 200, body: toDraft(updated, compiled) };
});
