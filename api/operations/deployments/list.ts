import { z } from 'zod';
import { listDeployments } from '../../../store/definitions/deployments.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageQuery } from '../../contract/schemas.js';
import { toDeployment } from './shared/deployment.js';
import { deploymentPage } from './shared/schemas.js';

export const listBpmnDeployments = defineOperation({
  operationID: 'ListBpmnDeployments',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/deployments',
  role: 'viewer',
  summary: 'List deployments',
  description: 'Newest first. Resources that were deployed one by one are not in the list.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of deployments', schema: deploymentPage } },
  problems: [],
}).handle(async ({ params, query, context }) => ({
  status: 200,
  body: pageResponse(query, await listDeployments(context.store, params.projectID, query), toDeployment),
}));
