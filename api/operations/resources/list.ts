import { z } from 'zod';
import { listResources } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { pageQuery, queryBoolean } from '../../contract/schemas.js';
import { toListedResource } from './shared/resource.js';
import { resourcePage } from './shared/schemas.js';

export const listBpmnResources = defineOperation({
  operationID: 'ListBpmnResources',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/resources',
  role: 'viewer',
  summary: 'List resources',
  description: 'Newest first. With `isDeployed=false`, drafts only.',
  request: { query: z.strictObject({ ...pageQuery, isDeployed: queryBoolean.optional() }) },
  responses: { 200: { description: 'Page of resources', schema: resourcePage } },
  problems: [],
}).handle(async ({ params, query: { isDeployed, ...query }, context }) => {
  const resources = await listResources(context.store, params.projectID, { isDeployed }, query);
  return { status: 200, body: pageResponse(query, resources, toListedResource) };
});
