import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { counted } from '../../terminal.js';

type Deployment = Schemas['BpmnDeployment'];

export const listDeployments: Command = {
  name: 'deployments list',
  role: 'viewer',
  operands: '',
  summary: 'List deployments, newest first',
  examples: ['perdure deployments list --page-size 5'],
  minOperands: 0,
  maxOperands: 0,
  options: { ...pageOptions },
  async run(invocation) {
    const query = pageQuery(invocation);
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnDeploymentPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/deployments', { params: { path: { projectID }, query } }),
    );
    showPage<Deployment>(invocation.terminal, answer, 'deployment', {
      'DEPLOYMENT ID': (one) => one.deploymentID,
      DEPLOYED: (one) => one.createdAt,
      BY: (one) => one.createdBy,
      CREATED: ({ files }) =>
        `${files.filter(({ state }) => state === 'CREATED').length} of ${counted(files.length, 'file')}`,
      NAME: (one) => one.name,
      REASON: (one) => one.reason,
    });
    return exitCodes.done;
  },
};
