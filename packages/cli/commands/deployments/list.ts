import { unwrap, type Schemas } from '@perdure/client';
import { pageCommand } from '../../lists/page-command.js';
import { counted } from '../../terminal.js';

type Deployment = Schemas['BpmnDeployment'];

export const listDeployments = pageCommand<Deployment>({
  name: 'deployments list',
  role: 'viewer',
  summary: 'List deployments, newest first',
  examples: ['perdure deployments list --page-size 5'],
  noun: 'deployment',
  read: ({ client, projectID }, query) =>
    unwrap<Schemas['BpmnDeploymentPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/deployments', { params: { path: { projectID }, query } }),
    ),
  columns: {
    'DEPLOYMENT ID': (one) => one.deploymentID,
    DEPLOYED: (one) => one.createdAt,
    BY: (one) => one.createdBy,
    CREATED: ({ files }) =>
      `${files.filter(({ state }) => state === 'CREATED').length} of ${counted(files.length, 'file')}`,
    NAME: (one) => one.name,
    REASON: (one) => one.reason,
  },
});
