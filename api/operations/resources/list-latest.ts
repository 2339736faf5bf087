import { z } from 'zod';
import { listLatestResources } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { pageQuery } from '../../contract/schemas.js';
import { time } from '../../contract/wire.js';
import { resourceSummaryPage } from './shared/schemas.js';

export const listLatestBpmnResources = defineOperation({
  operationID: 'ListLatestBpmnResources',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/resources/latest',
  role: 'viewer',
  summary: 'List the newest revision of each BPMN file',
  description: 'Newest first.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of files', schema: resourceSummaryPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const latest = await listLatestResources(context.store, params.projectID, query);
  return { status: 200, body: pageResponse(query, latest, (file) => ({ ...file, createdAt: time(file.createdAt) })) };
});
