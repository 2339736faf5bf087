import { findResource } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { readDetail, tagOf } from './shared/resource.js';
import { resourceDetail } from './shared/schemas.js';

export const getBpmnResource = defineOperation({
  operationID: 'GetBpmnResource',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}',
  role: 'viewer',
  summary: 'Get a resource',
  description:
    'Includes its deployed definitions. The `ETag` names the content of a draft: an update with `If-Match` changes it only if it is still that one.',
  request: { params: { resourceID: uuid } },
  responses: { 200: { description: 'Resource', schema: resourceDetail, hasTag: true } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findResource(context.store, params.projectID, params.resourceID);
  if (found === undefined) return notFound(`no resource ${params.resourceID} in project ${params.projectID}`);
  return { status: 200, body: await readDetail(context, found), headers: tagOf(found) };
});
