import { z } from 'zod';
import { listResources } from '../../../store/resources.js';
import { defineOperation } from '../../operation.js';
import { pageResponse } from '../../page.js';
import { pageQuery } from '../../schemas.js';
import { toResource } from './resource.js';
import { resourcePage } from './schemas.js';

export const listBpmnResources = defineOperation({
  operationID: 'ListBpmnResources',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/resources',
  role: 'viewer',
  summary: 'List resources',
  description: 'Newest first.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of resources', schema: resourcePage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const resources = await listResources(context.store, params.projectID, {}, query);
  return { status: 200, body: pageResponse(query, resources, toResource) };
});
