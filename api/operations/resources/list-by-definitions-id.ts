import { z } from 'zod';
import { listResources } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { modelIdentifier, pageQuery } from '../../contract/schemas.js';
import { toListedResource } from './shared/resource.js';
import { resourcePage } from './shared/schemas.js';

export const listBpmnResourcesByDefinitionsID = defineOperation({
  operationID: 'ListBpmnResourcesByDefinitionsID',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/resources/by-definitions-id/{definitionsID}',
  role: 'viewer',
  summary: 'List the revisions of a BPMN file',
  description: 'Lists the resources whose `definitions` element has this id, newest first.',
  request: { params: { definitionsID: modelIdentifier }, query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of resources; empty if the file does not exist', schema: resourcePage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const resources = await listResources(
    context.store,
    params.projectID,
    { definitionsID: params.definitionsID },
    query,
  );
  return { status: 200, body: pageResponse(query, resources, toListedResource) };
});
