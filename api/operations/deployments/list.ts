import { deploymentFilters, listDeployments } from '../../../store/definitions/deployments.js';
import { definePages } from '../../commands/define-list.js';
import { toDeployment } from './shared/deployment.js';
import { deployment, deploymentPage } from './shared/schemas.js';

export const listBpmnDeployments = definePages({
  operationID: 'ListBpmnDeployments',
  path: '/projects/{projectID}/bpmn/deployments',
  role: 'viewer',
  summary: 'List deployments',
  description: 'Newest first. Resources that were deployed one by one are not in the list.',
  filters: deploymentFilters,
  item: deployment,
  page: deploymentPage,
}).rows({
  page: ({ params, context }, page) => listDeployments(context.store, params.projectID, page),
  toItem: toDeployment,
});
